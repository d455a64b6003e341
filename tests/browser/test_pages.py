"""Every page of the book, as a browser shows it: light and dark, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import PAGES
from tests.browser.looks import Look, look_at
from tests.browser.visits import none, visiting

pytestmark = pytest.mark.site
each = pytest.mark.parametrize("name", PAGES)
both = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def look(browser: Browser, served_site: str) -> Callable[[str], Look]:
    """Gives the look at a page of that name, which is taken once."""
    taken: dict[str, Look] = {}

    def at(name: str) -> Look:
        if name not in taken:
            with visiting(browser, f"{served_site}/{name}.html", color_scheme="light") as visit:
                taken[name] = look_at(visit)
        return taken[name]

    return at


def test_no_page_of_the_site_is_left_out(site: Path) -> None:
    built = {str(path.relative_to(site).with_suffix("")) for path in site.rglob("*.html")}
    assert {name for name in built if not name.startswith("_static")} - {"index"} == set(PAGES)


@each
def test_w3_nothing_is_asked_of_another_host(look: Callable[[str], Look], name: str) -> None:
    none(look(name).foreign)


@each
def test_w6_console_holds_no_error_and_no_warning(look: Callable[[str], Look], name: str) -> None:
    none(look(name).visit)


@both
@each
def test_w7_w9_axe_finds_nothing(look: Callable[[str], Look], name: str, scheme: str) -> None:
    none(look(name).axe[scheme])


@both
@each
def test_no_sideways_scrolling_on_a_phone(look: Callable[[str], Look], name: str, scheme: str) -> None:
    none(look(name).wide[scheme])


@each
def test_wrapped_code_hangs_from_its_line(look: Callable[[str], Look], name: str) -> None:
    none(look(name).flush)


@each
def test_no_formula_is_cut(look: Callable[[str], Look], name: str) -> None:
    none(look(name).formulas)


@each
def test_nothing_to_press_is_cut_off_on_a_phone(look: Callable[[str], Look], name: str) -> None:
    none(look(name).cut)


@each
def test_w7_no_picture_is_a_white_box_in_the_dark(look: Callable[[str], Look], name: str) -> None:
    none(look(name).white)
    assert look(name).pictures >= name.startswith("notebooks/")
