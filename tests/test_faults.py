"""Faults of the machine: a disk that is full, a home that is none, a build or a kernel that is killed.

Other tests hold the rest: a Hub that misbehaves is in `checkpoint/test_hub.py` and `checkpoint/test_load.py`,
two builds at once and torn files in `test_build.py`, a broken environment in `test_makefile.py`.
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

from tests.checkpoint import fake_hub
from tests.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, Book, environment

NAME, COMMIT = "someone/gpt2-tiny", "0123456789abcdef0123456789abcdef01234567"
FETCH = f"""
from gpt2_teach.checkpoint import hub
try:
    print(hub.fetch({NAME!r}, {COMMIT!r}).folder)
except hub.HubUnreachableError as error:
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
    """What to put before a command for which `folder` is an empty disk of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = f'mount -t tmpfs -o {options} tmpfs "$0" && exec "$@"'
    prefix = ("unshare", "--map-root-user", "--mount", "sh", "-c", mount, str(folder))
    if (
        shutil.which("unshare") is None
        or subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this system lets nobody mount a disk of their own")
    return prefix


def without_traceback(said: str) -> bool:
    """Whether what was said is for people."""
    return "Traceback" not in said


# ---- a full disk


@pytest.mark.parametrize(
    ("options", "words"), [("size=64k", "No space left on device"), ("ro", "Read-only file system")]
)
def test_b4_a_disk_that_takes_nothing_ends_a_download_in_words(
    tmp_path: Path, options: str, words: str
) -> None:
    model, home = write(gpt2(**TINY), tmp_path / "model"), tmp_path / "home"
    with fake_hub.fake_hub({NAME: {COMMIT: model}}) as server:
        ran = subprocess.run(
            [*on_a_disk(home, options), sys.executable, "-c", FETCH],
            env=environment(PYTHONPATH=str(ROOT), **fake_hub.environment(server.endpoint, home)),
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.stdout == f"unreachable: the cache {home / 'hub'} cannot be used ({words})\n", ran.stderr


@pytest.mark.parametrize("size", ["8k", "400k", "3m"])
def test_a_full_disk_ends_the_build_in_words_and_the_next_one_is_right(toy: Book, size: str) -> None:
    built = toy.make("book", prefix=on_a_disk(toy.root / "_build", f"size={size}"))
    assert built.returncode != 0
    assert "No space left on device" in built.stderr
    assert without_traceback(built.stderr), built.stderr
    assert toy.make("book").returncode == 0
    assert "version 0." in toy.page()


def test_a_build_that_may_not_write_says_so(toy: Book) -> None:
    built = toy.make("book", prefix=on_a_disk(toy.root / "_build", "ro"))
    assert built.returncode != 0
    assert "Read-only file system" in built.stderr
    assert without_traceback(built.stderr), built.stderr


# ---- a home that is none


def test_a_home_that_cannot_be_written_does_not_matter_to_the_build(toy: Book) -> None:
    home = toy.root.parent / "home"
    built = toy.make("book", prefix=on_a_disk(home, "ro"), env={"HOME": str(home)})
    assert built.returncode == 0, built.stderr
    assert "version 0." in toy.page()


def test_without_a_home_the_book_is_built(toy: Book) -> None:
    built = toy.make("book", prefix=("env", "-u", "HOME"))
    assert built.returncode == 0, built.stderr
    assert "version 0." in toy.page()


# ---- what is killed


def test_a_killed_build_leaves_nothing_that_makes_the_next_one_wrong(toy: Book, tmp_path: Path) -> None:
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
    assert toy.make("book").returncode != 0  # and it goes on failing
