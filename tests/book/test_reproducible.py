"""Two builds of one commit give the same pages, byte for byte."""

from __future__ import annotations

import filecmp
import subprocess
from pathlib import Path

import pytest

from tests.small_books import ROOT, Book, small_book

# What a book may show that differs from run to run, if nothing is done about it.
TELLTALE = """\
%config InlineBackend.figure_formats = ["svg"]
import matplotlib.pyplot as plt
with plt.rc_context({"font.size": 11}):  # as the package draws; the inline backend is set up in here
    plt.plot([0, 1], marker="o", clip_on=True)
    plt.title("$x^2$")
print({"lm_head.weight", "transformer.wte.weight", "a", "b"})
"""


def differing(one: Path, other: Path) -> list[str]:
    """Names of files that are not the same in both folders."""
    names = {
        path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()
    }
    _, different, missing = filecmp.cmpfiles(one, other, sorted(map(str, names)), shallow=False)
    return different + missing


def built(book: Book) -> Path:
    """The pages of a book, built now."""
    made = book.make("book", env={"BOOK_REPOSITORY": ""})
    assert made.returncode == 0, made.stderr[-3000:]
    return book.html


def test_a_small_book_is_the_same_in_another_folder_at_another_time(tmp_path: Path) -> None:
    sites = []
    for name in ("here", "there"):
        book = small_book(tmp_path / name / "toy")
        book.notebook(TELLTALE)
        sites.append(built(book))
    assert len(list(sites[0].rglob("*.svg"))) > 1
    assert differing(*sites) == []


def test_a_picture_that_no_page_shows_any_more_is_removed(toy: Book) -> None:
    toy.notebook(TELLTALE)
    before = {path.name for path in (built(toy) / "_images").iterdir()}
    toy.notebook(TELLTALE.replace("[0, 1]", "[0, 2]"))
    after = {path.name for path in (built(toy) / "_images").iterdir()}
    assert len(after) == len(before)
    assert len(after - before) == 1


@pytest.mark.slow
def test_the_whole_book_is_the_same_in_two_clean_checkouts(tmp_path: Path) -> None:
    sites = []
    for name in ("here", "there"):
        subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / name], check=True)
        sites.append(built(Book(tmp_path / name)))
    assert differing(*sites) == []
