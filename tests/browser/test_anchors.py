"""Anchors lead to their place, and pages work with storage blocked and with search terms marked."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PAGES, Visitor
from tests.browser.contrast import faint
from tests.browser.visits import none

pytestmark = pytest.mark.site

# Where an anchor is, unless it is below the header or the page ends there.
MISSED = """() => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1))).getBoundingClientRect();
  const header = document.querySelector('.bd-header-article').getBoundingClientRect().bottom;
  const root = document.documentElement;
  const end = scrollY + innerHeight >= root.scrollHeight - 2;
  const right = place.top >= -1 && place.top < header + 60 || end && place.top < innerHeight;
  return right ? '' : `${location.hash}: ${Math.round(place.top)}`;
}"""


@pytest.mark.parametrize("width", [390, 1024, 1280, 1600])
@pytest.mark.parametrize("name", PAGES)
def test_f13_every_anchor_is_at_the_top_of_the_window(visit: Visitor, name: str, width: int) -> None:
    page = visit(f"{name}.html", viewport={"width": width, "height": 800}).page
    anchors = page.eval_on_selector_all(
        "article section[id], article h2[id], article h3[id], article b[id]",
        "all => all.filter(e => e.checkVisibility()).map(e => e.id)",
    )
    missed: list[str] = []
    address = page.url
    for anchor in anchors[-1:] + anchors:  # the last one first, as from another page
        if not missed:
            page.goto("about:blank")
        page.goto(f"{address}#{anchor}")
        missed.append(page.evaluate(MISSED))
    none([miss for miss in missed if miss])


BLOCKED = """const get = () => { throw new DOMException('', 'SecurityError'); };
for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, {configurable: true, get});"""


def test_f14_a_page_works_without_storage(visit: Visitor) -> None:
    opened = visit("about:blank")
    page = opened.page
    page.add_init_script(BLOCKED)
    page.goto(visit("search.html").page.url + "?q=residual")
    page.locator("#search-results a").first.wait_for()
    page.goto(page.url.replace("search.html?q=residual", f"{PAGES[1]}.html"))
    before = page.evaluate("document.documentElement.dataset.mode")
    page.locator(".theme-switch-button").last.click()
    assert page.evaluate("document.documentElement.dataset.mode") != before
    page.keyboard.press("Control+k")
    assert page.locator("dialog[open], .search-button__wrapper.show").count()
    assert not opened.errors


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}, {}, {"forced_colors": "active"}])
def test_f15_search_terms_are_marked_and_readable(visit: Visitor, options: dict[str, str]) -> None:
    page = visit("notebooks/03_random_walk.html?highlight=steps", **options).page
    assert page.locator("p span.highlighted").count() > 5
    assert page.locator("svg .highlighted").count()
    for picture in page.locator("article .cell_output:has(svg)").all():
        none(faint(picture))


def test_f16_a_move_changes_one_live_region(visit: Visitor) -> None:
    page = visit("notebooks/03_random_walk.html").page
    live = page.locator(".explore").first.locator("[aria-live], output, [role=status], [role=alert]")
    assert live.count() == 1
