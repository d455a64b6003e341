"""Runs deploy/exchange.py and other commands under an account."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.deploy.accounts import root
from tests.deploy.prerequisites import accessible
from tests.small_books import ROOT

SCRIPT = ROOT / "deploy" / "exchange.py"


def make_exchange(folder: Path, course: str, instructor: str) -> None:
    """Make the exchange, as root."""
    root(sys.executable, SCRIPT, "make", folder, course, instructor)


def check_exchange(folder: Path, course: str, instructor: str) -> subprocess.CompletedProcess[str]:
    """Check the exchange, as the instructor."""
    return run_as(instructor, sys.executable, SCRIPT, "check", folder, course, instructor)


def run_as(account: str, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command under an account, with its groups."""
    switch = ["setpriv", "--reuid", account, "--regid", account, "--init-groups", "--reset-env"]
    return subprocess.run(
        [*accessible(), *switch, *command], cwd="/", capture_output=True, text=True, check=False
    )
