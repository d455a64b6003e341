"""The buttons that a book has whose address is known: this one has none, so a small book is looked at."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from colab_setup_cell import CELL_ID

from tests.browser.conftest import Visitor
from tests.browser.visits import PHONE, none
from tests.small_books import Book, small_book

INTRO = """\
---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---

# A toy

```{code-cell} python3
1
```
"""  # a page with a cell: the theme has a launch menu for it


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A small book that is published on GitHub."""
    book = small_book(tmp_path_factory.mktemp("buttons") / "toy")
    book.notebook("print(1)")
    (book.root / "book" / "intro.md").write_text(INTRO, encoding="utf-8")
    built = book.make("book", env={"BOOK_REPOSITORY": "https://github.com/owner/name"})
    assert built.returncode == 0, built.stderr
    return book


def test_w6_the_launch_menu_shows_the_marks_of_its_services(visit: Visitor, published: Book) -> None:
    opened = visit((published.html / "notebooks" / "01_toy.html").as_uri())
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


@pytest.mark.parametrize("name", ["book/intro", "notebooks/01_toy"])
def test_w6_with_all_buttons_a_page_fits_a_small_phone(visit: Visitor, published: Book, name: str) -> None:
    page = visit((published.html / f"{name}.html").as_uri(), viewport=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_b5_a_chapter_that_is_downloaded_sets_itself_up(published: Book) -> None:
    downloaded: Path = published.html / "_sources" / "notebooks" / "01_toy.ipynb"
    first, second = nbformat.read(downloaded, as_version=4).cells[:2]
    assert first.id == CELL_ID
    assert "gpt2-teach @ git+https://github.com/owner/name@release" in first.source
    assert second.source.startswith("# A toy chapter")
    assert "git+https" not in published.page()  # and the page does not show it
