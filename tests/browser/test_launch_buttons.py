"""The buttons that a book has whose address is known: this one has none, so a small book is looked at."""

from __future__ import annotations

import nbformat
import pytest

from tests.browser.conftest import Visitor
from tests.browser.visits import PHONE, none
from tests.small_books import Book, small_book

HEAD = "---\nfile_format: mystnb\nkernelspec: {name: python3, display_name: Python 3}\n---\n"
INTRO = f"{HEAD}\n# A toy\n\n```{{code-cell}} python3\n1\n```\n"  # the theme has a launch menu for it


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Return a small book that is published on GitHub."""
    book = small_book(tmp_path_factory.mktemp("buttons") / "toy")
    book.notebook("print(1)")
    (book.root / "book" / "intro.md").write_text(INTRO, encoding="utf-8")
    book.build(BOOK_REPOSITORY="https://github.com/owner/name")
    return book


def test_w6_the_launch_menu_shows_its_marks_and_fits_a_small_phone(visit: Visitor, published: Book) -> None:
    opened = visit((published.html / "notebooks" / "01_toy.html").as_uri(), viewport=PHONE)
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    menu = opened.page.locator(".dropdown-launch-buttons")
    menu.locator("button").click()
    marks = menu.locator("img")
    assert marks.count() == 2
    for number in range(2):
        assert marks.nth(number).evaluate("mark => mark.complete && mark.naturalWidth > 0")
    none(opened.faults)


def test_colab_is_offered_for_notebooks_only(visit: Visitor, published: Book) -> None:
    page = visit((published.html / "book" / "intro.html").as_uri()).page
    assert page.locator("a[href*='mybinder.org']").count() == 1
    assert page.locator("a[href*='colab.research']").count() == 0


def test_b5_b6_a_chapter_that_is_downloaded_sets_itself_up(published: Book) -> None:
    downloaded = published.html / "_sources" / "notebooks" / "01_toy.ipynb"
    first, second = nbformat.read(downloaded, as_version=4).cells[:2]
    assert "gpt2-teach @ git+https://github.com/owner/name@release" in first.source
    assert second.source.startswith("# A toy chapter")
    assert "git+https" not in published.page()  # and the page does not show it
