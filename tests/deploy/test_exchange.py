"""deploy/exchange.py makes an exchange in which nobody reads or moves another's work, and finds faults."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts
from tests.deploy.exchange import SCRIPT, check_exchange, make_exchange, run_as
from tests.deploy.hub import public_folder
from tests.deploy.needs import missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


class Exchange:
    """An exchange with an instructor and two students."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.course = folder, folder / "gpt2"
        self.instructor = accounts.add("teacher", accounts.staff)
        self.ann, self.bob = (accounts.add(name, accounts.students) for name in ("ann", "bob"))
        make_exchange(folder, "gpt2", self.instructor)

    def check(self) -> subprocess.CompletedProcess[str]:
        """What the instructor is told."""
        return check_exchange(self.folder, "gpt2", self.instructor)

    def shell(self, account: str, command: str) -> subprocess.CompletedProcess[str]:
        """A line typed by somebody."""
        return run_as(account, "sh", "-c", f"cd {self.course} && {command}")


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    """Made for one test, in a folder that every account can pass."""
    with tempfile.TemporaryDirectory(prefix="exchange-") as name:
        folder = public_folder(Path(name))
        with Accounts(public_folder(folder / "homes")) as accounts:
            yield Exchange(folder / "exchange", accounts)


def test_one_that_was_made_has_no_faults_and_is_mended_when_made_again(exchange: Exchange) -> None:
    assert (exchange.check().returncode, exchange.check().stderr) == (0, "")
    inbound = exchange.course / "inbound"
    inbound.chmod(0o777)
    os.chown(inbound, 0, 0)
    told = exchange.check()
    assert told.returncode == 1
    assert f"{inbound} has mode 777, and must have 3733" in told.stderr
    assert f"{inbound} must belong to {exchange.instructor}" in told.stderr
    make_exchange(exchange.folder, "gpt2", exchange.instructor)
    assert exchange.check().returncode == 0


@pytest.mark.parametrize(("part", "mode"), [(".", 0o777), ("gpt2/inbound", 0o733), ("gpt2/outbound", 0o777)])
def test_each_wrong_mode_is_told(exchange: Exchange, part: str, mode: int) -> None:
    (exchange.folder / part).chmod(mode)
    assert f"has mode {mode:o}, and must have" in exchange.check().stderr


def test_a_folder_that_is_missing_is_told(exchange: Exchange) -> None:
    (exchange.course / "feedback").rmdir()
    assert f"{exchange.course / 'feedback'} is not a folder" in exchange.check().stderr


def test_students_put_in_but_neither_list_nor_move_what_others_put_in(exchange: Exchange) -> None:
    assert exchange.shell(exchange.ann, "mkdir inbound/hers && echo hers > inbound/hers/it").returncode == 0
    for attempt in (
        "ls inbound",
        "mv inbound/hers inbound/mine",  # bob was told the name; without the sticky bit he could
        "rm -r inbound/hers",
        "mv ../gpt2 ../old",
        "touch outbound/more",
        "ls feedback",
    ):
        done = exchange.shell(exchange.bob, attempt)
        assert done.returncode != 0, attempt
        assert "permi" in done.stderr.lower(), (attempt, done.stderr)
    assert exchange.shell(exchange.instructor, "cat inbound/*/it").stdout == "hers\n"


@pytest.mark.parametrize(
    ("course", "instructor", "message"),
    [
        ("a/b", "root", "course='a/b' must be one word, such as gpt2"),
        ("..", "root", "course='..' must be one word, such as gpt2"),
        ("gpt2", "nobody-at-all", "instructor='nobody-at-all' must be an account of this machine"),
    ],
)
def test_what_cannot_be_is_refused_with_the_argument_s_name(
    tmp_path: Path, course: str, instructor: str, message: str
) -> None:
    command = [sys.executable, str(SCRIPT), "make", str(tmp_path / "exchange"), course, instructor]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "exchange").exists()
