"""deploy/exchange.py makes an exchange where students cannot read or move others' work, and finds faults."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts, missing, public_folder, root, run_as
from tests.small_books import ROOT

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

SCRIPT = ROOT / "deploy" / "exchange.py"


class Exchange:
    """An exchange with an instructor and two students."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.course = folder, folder / "gpt2"
        self.instructor = accounts.add("teacher", accounts.staff)
        self.ann, self.bob = (accounts.add(name, accounts.students) for name in ("ann", "bob"))
        self.make()

    def make(self) -> None:
        """Make or repair the exchange, as root."""
        root(sys.executable, SCRIPT, "make", self.folder, "gpt2", self.instructor)

    def faults(self) -> str:
        """Check the exchange as the instructor; return what is wrong."""
        done = run_as(self.instructor, sys.executable, SCRIPT, "check", self.folder, "gpt2", self.instructor)
        assert done.returncode == bool(done.stderr)
        return done.stderr


@pytest.fixture(scope="module")
def exchange() -> Iterator[Exchange]:
    """Make an exchange in a folder that every account can enter."""
    with tempfile.TemporaryDirectory(prefix="exchange-") as name:
        folder = public_folder(Path(name))
        with Accounts(public_folder(folder / "homes")) as accounts:
            yield Exchange(folder / "exchange", accounts)


def test_what_is_wrong_is_named_and_make_repairs_it(exchange: Exchange) -> None:
    assert exchange.faults() == ""
    wrong = {".": 0o777, "gpt2/inbound": 0o733, "gpt2/outbound": 0o777}
    for part, mode in wrong.items():
        (exchange.folder / part).chmod(mode)
    os.chown(exchange.course / "inbound", 0, 0)
    (exchange.course / "feedback").rmdir()
    faults = exchange.faults()
    for part, mode in wrong.items():
        assert f"{exchange.folder / part} has mode {mode:o}; it must be" in faults
    assert f"{exchange.course / 'inbound'} must belong to {exchange.instructor}" in faults
    assert f"{exchange.course / 'feedback'} is not a folder" in faults
    exchange.make()
    assert exchange.faults() == ""


def test_students_can_add_but_not_list_or_move_submissions(exchange: Exchange) -> None:
    def shell(account: str, command: str) -> subprocess.CompletedProcess[str]:
        return run_as(account, "sh", "-c", f"cd {exchange.course} && {command}")

    assert shell(exchange.ann, "mkdir inbound/hers && echo hers > inbound/hers/it").returncode == 0
    for attempt in (
        "ls inbound",
        "mv inbound/hers inbound/mine",  # bob knows the name; without the sticky bit he could
        "rm -r inbound/hers",
        "mv ../gpt2 ../old",
        "touch outbound/more",
        "ls feedback",
    ):
        done = shell(exchange.bob, attempt)
        assert "permi" in done.stderr.lower(), (attempt, done.stderr)
    assert shell(exchange.instructor, "cat inbound/*/it").stdout == "hers\n"


@pytest.mark.parametrize(
    ("course", "instructor"), [("a/b", "root"), ("..", "root"), ("gpt2", "nobody-at-all")]
)
def test_wrong_arguments_are_refused_by_name(tmp_path: Path, course: str, instructor: str) -> None:
    command = [sys.executable, str(SCRIPT), "make", str(tmp_path / "exchange"), course, instructor]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    wrong = f"course={course!r}" if instructor == "root" else f"instructor={instructor!r}"
    assert wrong in done.stderr
    assert not (tmp_path / "exchange").exists()
