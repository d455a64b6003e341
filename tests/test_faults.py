"""A full disk, a killed build and a killed kernel. Missing things and broken files: `book/test_build.py`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.small_books import Book

WAITS = """
import os, time
from pathlib import Path
started = Path({started!r})
if not started.exists():
    started.touch()
    time.sleep(600)
print("woke up, real", os.environ.get("GPT2_TEACH_REQUIRE_REAL"))
"""


def on_a_disk(folder: Path, options: str) -> tuple[str, ...]:
    """Return a command prefix that mounts an empty disk at `folder` for the command."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = f'mount -t tmpfs -o {options} tmpfs "$0" && exec "$@"'
    prefix = ("unshare", "--map-root-user", "--mount", "sh", "-c", mount, str(folder))
    if shutil.which("unshare") is None or subprocess.run([*prefix, "true"], check=False).returncode:
        pytest.skip("this system does not let users mount disks")
    return prefix


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("size=8k", "No space left on device"),
        ("size=400k", "No space left on device"),
        ("size=3m", "No space left on device"),
        ("ro", "Read-only file system"),
    ],
)
def test_a_full_or_read_only_disk_ends_the_build_with_a_message(toy: Book, options: str, words: str) -> None:
    built = toy.make("book", prefix=on_a_disk(toy.root / "_build", options))
    assert built.returncode != 0
    assert words in built.stderr
    assert "Traceback" not in built.stderr


def test_a_killed_build_does_not_break_the_next_one(toy: Book, tmp_path: Path) -> None:
    started = tmp_path / "started"
    toy.notebook(WAITS.format(started=str(started)))
    running = toy.start("book")
    while not started.exists():
        assert running.poll() is None
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    toy.build("PUBLISH=1")
    assert "woke up, real 1" in toy.page()  # a build for publishing asks for the real checkpoint


def test_b2_a_kernel_that_dies_fails_the_build_and_is_named(toy: Book) -> None:
    toy.notebook("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    built = toy.make("book")
    assert built.returncode != 0
    assert "notebooks/01_toy.ipynb: its kernel died" in built.stderr
    assert "memory" in built.stderr
    assert "Traceback" not in built.stderr
