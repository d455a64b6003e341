"""Tests of machine faults: a full disk, an unusable home folder, a killed build or kernel.

Other faults are tested elsewhere: of the Hub in `checkpoint/test_download.py`, two builds at once and
truncated files in `test_build.py`, a broken environment in `test_makefile.py`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.gpt2_teach.checkpoint import fake_hub
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, Book, environment

NAME = "someone/gpt2-tiny"
DOWNLOAD = """
from gpt2_teach.checkpoint.download import find_checkpoint
from gpt2_teach.checkpoint.errors import HubUnreachableError
try:
    print(find_checkpoint(download=True))
except HubUnreachableError as error:
    print("unreachable:", error)
"""
WAITS = """
import time
from pathlib import Path
started = Path({started!r})
if not started.exists():
    started.touch()
    time.sleep(600)
print("woke up")
"""


def on_a_disk(folder: Path, options: str) -> tuple[str, ...]:
    """Return a command prefix that mounts an empty disk at `folder` for the command."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = f'mount -t tmpfs -o {options} tmpfs "$0" && exec "$@"'
    prefix = ("unshare", "--map-root-user", "--mount", "sh", "-c", mount, str(folder))
    if (
        shutil.which("unshare") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this system does not let users mount disks")
    return prefix


def without_traceback(output: str) -> bool:
    """Return whether the output contains no traceback."""
    return "Traceback" not in output


# ---- a full disk


@pytest.mark.parametrize(
    ("options", "words"), [("size=64k", "No space left on device"), ("ro", "Read-only file system")]
)
def test_b4_a_full_or_read_only_disk_ends_a_download_with_a_message(
    tmp_path: Path, options: str, words: str
) -> None:
    model, home = write(gpt2(**TINY), tmp_path / "model"), tmp_path / "home"
    with fake_hub.fake_hub({NAME: {"main": model}}) as server:
        ran = subprocess.run(
            [*on_a_disk(home, options), sys.executable, "-c", DOWNLOAD],
            env=environment(
                PYTHONPATH=str(ROOT),
                GPT2_TEACH_CHECKPOINT=NAME,
                **fake_hub.environment(server.endpoint, home),
            ),
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.stdout == f"unreachable: the cache {home / 'hub'} is not usable ({words})\n", ran.stderr


@pytest.mark.parametrize("size", ["8k", "400k", "3m"])
def test_a_full_disk_ends_the_build_with_a_message_and_the_next_build_is_right(toy: Book, size: str) -> None:
    built = toy.make("book", prefix=on_a_disk(toy.root / "_build", f"size={size}"))
    assert built.returncode != 0
    assert "No space left on device" in built.stderr
    assert without_traceback(built.stderr), built.stderr
    assert toy.make("book").returncode == 0
    assert "version 0." in toy.page()


def test_a_build_on_a_read_only_disk_reports_it(toy: Book) -> None:
    built = toy.make("book", prefix=on_a_disk(toy.root / "_build", "ro"))
    assert built.returncode != 0
    assert "Read-only file system" in built.stderr
    assert without_traceback(built.stderr), built.stderr


# ---- an unusable home folder


def test_a_home_that_cannot_be_written_does_not_matter_to_the_build(toy: Book) -> None:
    home = toy.root.parent / "home"
    built = toy.make("book", prefix=on_a_disk(home, "ro"), env={"HOME": str(home)})
    assert built.returncode == 0, built.stderr
    assert "version 0." in toy.page()


def test_without_a_home_the_book_is_built(toy: Book) -> None:
    built = toy.make("book", prefix=("env", "-u", "HOME"))
    assert built.returncode == 0, built.stderr
    assert "version 0." in toy.page()


# ---- killed processes


def test_a_killed_build_does_not_break_the_next_one(toy: Book, tmp_path: Path) -> None:
    started = tmp_path / "started"
    toy.notebook(WAITS.format(started=str(started)))
    running = subprocess.Popen(
        toy.command("book"),
        cwd=toy.root,
        env=environment(PYTHONPATH=str(toy.root)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not started.exists():
        assert running.poll() is None
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    built = toy.make("book")
    assert built.returncode == 0, built.stderr
    assert "woke up" in toy.page()


def test_b2_a_kernel_that_dies_fails_the_build_and_is_named(toy: Book) -> None:
    toy.notebook("print('fine')", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    built = toy.make("book")
    assert built.returncode != 0
    assert "notebooks/01_toy.ipynb: its kernel died (DeadKernelError)" in built.stderr
    assert "memory ran out" in built.stderr
    assert without_traceback(built.stderr), built.stderr
    assert toy.make("book").returncode != 0  # the failure is not cached as success
