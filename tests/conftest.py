"""What the tests of the book share: the whole site, built once, and a small book to try things on."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from filelock import FileLock

from tests.small_books import ROOT, Book, small_book

collect_ignore_glob = ["assignments/answers/ps*.py"]  # what students write is no module
if (
    sys.platform == "win32"
):  # no make, no nbgrader: the package is tested, and the book is built by a plain command
    here = Path(__file__).resolve().parent
    of_unix = re.compile(r"^from tests\.small_books\b|\bsite: Path\b|\[\"make\"|\bfcntl\b", flags=re.M)
    collect_ignore_glob += ["assignments/*", "browser/*", "deploy/*"]
    collect_ignore_glob += [
        path.relative_to(here).as_posix()
        for path in here.rglob("test_*.py")
        if of_unix.search(path.read_text(encoding="utf-8"))
    ]


@pytest.fixture
def toy(tmp_path: Path) -> Book:
    """A small book in a folder of its own, with a notebook that shows the package's version."""
    book = small_book(tmp_path / "toy")
    book.notebook("import gpt2_teach\nprint('version', gpt2_teach.__version__)")
    return book


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the whole site; of several workers the first one builds it, while the others wait."""
    book, shared = Book(ROOT), tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with FileLock(shared / "site.lock"):
        if not (shared / "site-is-built").exists():
            built = book.make("book")
            assert built.returncode == 0, built.stdout[-5000:] + built.stderr[-5000:]
            (shared / "site-is-built").touch()
    return book.html


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """One thread for torch, as the grading has it: several only slow tiny tensors down."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
