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
    """Return the names of files that are not the same in both folders."""
    names = {
        path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()
    }
    _, different, missing = filecmp.cmpfiles(one, other, sorted(map(str, names)), shallow=False)
    return different + missing


def test_a_small_book_is_the_same_in_another_folder_and_keeps_no_old_picture(tmp_path: Path) -> None:
    here, there = (small_book(tmp_path / name / "toy") for name in ("here", "there"))
    here.notebook(TELLTALE.replace("[0, 1]", "[0, 2]"))
    here.build(BOOK_REPOSITORY="")
    for book in (here, there):
        book.notebook(TELLTALE)
        book.build(BOOK_REPOSITORY="")
    assert list(here.html.glob("_images/*.svg"))
    assert differing(here.html, there.html) == []


@pytest.mark.slow
def test_the_whole_book_is_the_same_in_two_clean_checkouts(tmp_path: Path) -> None:
    for name in ("here", "there"):
        subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / name], check=True)
        Book(tmp_path / name).build(BOOK_REPOSITORY="")
    assert differing(*(Book(tmp_path / name).html for name in ("here", "there"))) == []
