"""Every page of the book, as a browser shows it: light and dark, on a desk and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import PAGES, Visitor
from tests.browser.looks import faults_of
from tests.browser.visits import none

pytestmark = pytest.mark.site


def test_no_page_of_the_site_is_left_out(site: Path) -> None:
    built = {str(path.relative_to(site).with_suffix("")) for path in site.rglob("*.html")}
    assert {name for name in built if not name.startswith("_static")} - {"index"} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_w3_w6_w7_w9_nothing_is_wrong_with_a_page(visit: Visitor, name: str) -> None:
    """Axe, the width of a phone, wrapped code, formulas, dark pictures, the console, and no other host."""
    opened = visit(f"{name}.html", color_scheme="light")
    none(faults_of(opened.page, whole_tables=name.startswith("book/")) + opened.faults)


@pytest.mark.parametrize("width", [320, 800, 1600])
def test_the_footer_begins_where_the_text_does(visit: Visitor, width: int) -> None:
    page = visit(f"{PAGES[0]}.html", viewport={"width": width, "height": 900}).page
    at = "element => element.getBoundingClientRect().left"
    title = page.locator("article h1").first.evaluate(at)
    assert page.locator(".bd-footer-content p").first.evaluate(at) == pytest.approx(title, abs=1)
