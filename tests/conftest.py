"""What the tests of the book share: the whole site, built once, and a small book to try things on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_books import ROOT, Book, small_book

collect_ignore_glob = ["assignments/answers/ps*.py"]  # what students write is no module


@pytest.fixture
def toy(tmp_path: Path) -> Book:
    """A small book in a folder of its own, with a notebook that shows the package's version."""
    book = small_book(tmp_path / "toy")
    book.notebook("import gpt2_teach\nprint('version', gpt2_teach.__version__)")
    return book


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the whole built site. Where `make test` has just built it, this only looks it over."""
    book = Book(ROOT)
    built = book.make("book")
    assert built.returncode == 0, built.stdout[-5000:] + built.stderr[-5000:]
    return book.html
