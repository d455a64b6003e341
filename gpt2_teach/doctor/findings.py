"""What the doctor's looks share: a line of the report, a Python of its own, a command that installs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import gpt2_teach

BESIDE = Path(gpt2_teach.__file__).resolve().parents[1]  # the book's folder, unless installed from a wheel


class Finding(NamedTuple):
    """One line of the report: what was looked at, and how it stands."""

    state: Literal["ok", "note", "fault", "skip"]  # a note leaves the chapters running; skip: not looked at
    what: str
    advice: str = ""
    lacks: str = ""  # the package that cannot be used, so that what needs it is not looked at


def run(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str] | None:
    """What a Python of its own says; None if it had to be ended."""
    try:
        return subprocess.run(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONUTF8": "1"},
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


def last_line(text: str) -> str:
    """Where a traceback says what it is about."""
    return text.strip().rpartition("\n")[2]


def is_book(folder: Path) -> bool:
    """Whether the book lies there, with the versions that it was checked with."""
    return (folder / "requirements.txt").is_file() and (folder / "pyproject.toml").is_file()


def install(requirements: Iterable[str]) -> str:
    """The one command that installs these: beside the book all that it needs, in the versions of its pins."""
    if is_book(BESIDE):
        return f"in the folder {BESIDE}: {sys.executable} -m pip install -r requirements.txt"
    return " ".join([sys.executable, "-m pip install", *(f"'{line}'" for line in requirements)])
