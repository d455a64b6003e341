"""deploy/exchange.py makes an exchange where students cannot read or move others' work, and finds faults."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts
from tests.deploy.hub import public_folder
from tests.deploy.prerequisites import missing
from tests.deploy.run_exchange_script import SCRIPT, check_exchange, make_exchange, run_as

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


class Exchange:
    """An exchange with an instructor and two students."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.course = folder, folder / "gpt2"
        self.instructor = accounts.add("teacher", accounts.staff)
        self.ann, self.bob = (accounts.add(name, accounts.students) for name in ("ann", "bob"))
        make_exchange(folder, "gpt2", self.instructor)

    def check(self) -> subprocess.CompletedProcess[str]:
        """Check the exchange as the instructor."""
        return check_exchange(self.folder, "gpt2", self.instructor)

    def shell(self, account: str, command: str) -> subprocess.CompletedProcess[str]:
        """Run a shell command under an account."""
        return run_as(account, "sh", "-c", f"cd {self.course} && {command}")


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    """Make an exchange for one test, in a folder that every account can enter."""
    with tempfile.TemporaryDirectory(prefix="exchange-") as name:
        folder = public_folder(Path(name))
        with Accounts(public_folder(folder / "homes")) as accounts:
            yield Exchange(folder / "exchange", accounts)


def test_a_new_exchange_has_no_faults_and_make_repairs_it(exchange: Exchange) -> None:
    assert (exchange.check().returncode, exchange.check().stderr) == (0, "")
    inbound = exchange.course / "inbound"
    inbound.chmod(0o777)
    os.chown(inbound, 0, 0)
    checked = exchange.check()
    assert checked.returncode == 1
    assert f"{inbound} has mode 777; it must be 3733" in checked.stderr
    assert f"{inbound} must belong to {exchange.instructor}" in checked.stderr
    make_exchange(exchange.folder, "gpt2", exchange.instructor)
    assert exchange.check().returncode == 0


@pytest.mark.parametrize(("part", "mode"), [(".", 0o777), ("gpt2/inbound", 0o733), ("gpt2/outbound", 0o777)])
def test_each_wrong_mode_is_reported(exchange: Exchange, part: str, mode: int) -> None:
    (exchange.folder / part).chmod(mode)
    assert f"has mode {mode:o}; it must be" in exchange.check().stderr


def test_a_missing_folder_is_reported(exchange: Exchange) -> None:
    (exchange.course / "feedback").rmdir()
    assert f"{exchange.course / 'feedback'} is not a folder" in exchange.check().stderr


def test_students_can_add_but_not_list_or_move_submissions(exchange: Exchange) -> None:
    assert exchange.shell(exchange.ann, "mkdir inbound/hers && echo hers > inbound/hers/it").returncode == 0
    for attempt in (
        "ls inbound",
        "mv inbound/hers inbound/mine",  # bob knows the name; without the sticky bit he could
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
        ("gpt2", "nobody-at-all", "instructor='nobody-at-all' must be an account on this machine"),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    tmp_path: Path, course: str, instructor: str, message: str
) -> None:
    command = [sys.executable, str(SCRIPT), "make", str(tmp_path / "exchange"), course, instructor]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "exchange").exists()
