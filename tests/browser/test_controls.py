"""What a reader can do on a page: search, sidebars, copy buttons, colours; all of it by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PAGES, Visitor
from tests.browser.looks import STILL
from tests.browser.visits import PHONE, none

pytestmark = pytest.mark.site
CHAPTER = next(name for name in PAGES if name.startswith("notebooks/"))

# Everything that a reader can operate, as it is shown now; of radio buttons of one name, one stands for all.
NUMBER_CONTROLS = """() => {
  const all = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const seen = element => element.checkVisibility({visibilityProperty: true})
    && element.getClientRects().length && !element.disabled && element.tabIndex >= 0
    && !element.closest('[inert], dialog:not([open])');
  const named = element => element.type === 'radio' && `input[name="${element.name}"]`;
  const radio = element => named(element) && element !== document.querySelector(named(element));
  window.controls = [...document.querySelectorAll(all)].filter(element => seen(element) && !radio(element));
  window.looks = element => {
    const style = getComputedStyle(element);
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
    return {ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
            rest: [style.boxShadow, style.borderColor, style.backgroundColor].join(), opacity};
  };
  window.before = window.controls.map(looks);
  return window.controls.length;
}"""
FOCUSED = """() => {
  let element = document.activeElement;
  if (!element || element === document.body) return null;
  if (element.type === 'radio') element = document.querySelector(`input[name="${element.name}"]`);
  const number = window.controls.indexOf(element), now = window.looks(document.activeElement);
  const ring = now.ring || (number >= 0 && now.rest !== window.before[number].rest);
  return {number, visible: ring && now.opacity > 0.5, html: document.activeElement.outerHTML.slice(0, 140)};
}"""


def press_tab_through(page: Page) -> tuple[int, list[dict[str, Any]]]:
    """Press Tab until the focus leaves the page; the number of controls, and what was focused in turn."""
    total = page.evaluate(NUMBER_CONTROLS)
    focused: list[dict[str, Any]] = []
    for _ in range(total + 40):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUSED)
        if now is None or (focused and now["number"] >= 0 and now["number"] == focused[0]["number"]):
            break
        focused.append(now)
    return total, focused


@pytest.mark.parametrize("name", PAGES)
def test_w9_tab_reaches_every_control_and_shows_where_it_is(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    page.add_style_tag(content=STILL)
    total, focused = press_tab_through(page)
    reached = {control["number"] for control in focused}
    missed = page.evaluate(  # a wide box that turned out to fit, once it was laid out, is no control any more
        "numbers => numbers.map(number => window.controls[number]).filter(control => control.tabIndex >= 0)"
        ".map(control => control.outerHTML.slice(0, 140))",
        [number for number in range(total) if number not in reached],
    )
    none([f"not reached: {html}" for html in missed])
    none(list(dict.fromkeys(f"no visible focus: {now['html']}" for now in focused if not now["visible"])))


def test_w6_w9_search_finds_weight_tying_by_keyboard_and_leads_to_its_chapter(visit: Visitor) -> None:
    opened = visit(f"{PAGES[0]}.html")
    page = opened.page
    page.keyboard.press("Control+k")
    field = page.locator("dialog[open] input[type=search], .search-button__wrapper.show input[type=search]")
    expect(field).to_be_focused()
    page.keyboard.type("weight tying")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=weight*")
    expect(page.locator("#search-results p").first).to_contain_text("found")
    # What is typed is not under the magnifier.
    magnifier = page.locator("main .bd-search .fa-magnifying-glass").bounding_box()
    typed = page.locator("main .bd-search input").evaluate(
        "e => e.getBoundingClientRect().left + parseFloat(getComputedStyle(e).paddingLeft)"
    )
    assert magnifier
    assert magnifier["x"] + magnifier["width"] < typed
    found = page.locator("ul.search li a", has_text="Parameter sharing")
    expect(found.first).to_be_visible()
    found.first.click()
    page.wait_for_url(f"**/{CHAPTER}.html*")
    none(opened.faults)


def test_w6_a_search_without_a_hit_says_so_and_excerpts_keep_their_spaces(visit: Visitor) -> None:
    page = visit("search.html?q=zebrafish").page
    expect(page.locator("#search-results p").first).to_contain_text("No page of this book")
    page = visit("search.html?q=scaled").page
    page.locator("ul.search li", has_text="Notation").first.locator(".context").wait_for()
    excerpts = page.locator("ul.search .context").all_inner_texts()
    assert not [excerpt for excerpt in excerpts if "scaledwith" in excerpt]


def test_w6_w9_the_sidebar_toggles_and_code_is_copied_by_keyboard(visit: Visitor) -> None:
    opened = visit(f"{CHAPTER}.html", permissions=["clipboard-read", "clipboard-write"])
    page = opened.page
    page.keyboard.press("Tab")  # the first stop offers to skip to the text
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")

    sidebar, toggle = page.locator(".bd-sidebar-primary"), page.locator("button.primary-toggle")
    for hidden in (True, False):
        toggle.focus()
        page.keyboard.press("Enter")
        shown = expect(sidebar)
        shown.not_to_be_in_viewport() if hidden else shown.to_be_in_viewport()

    block = page.locator("div.highlight:has(button.copybtn)").first
    block.locator("button.copybtn").focus()
    page.keyboard.press("Enter")
    code = block.locator("pre").inner_text().strip()
    copied = "code => navigator.clipboard.readText().then(text => text.trim() === code)"
    page.wait_for_function(copied, arg=code)
    none(opened.faults)

    page.set_viewport_size(PHONE)
    link = page.get_by_role("link", name="Weight initialization").first
    expect(link).not_to_be_in_viewport()
    toggle.focus()
    page.keyboard.press("Enter")
    expect(link).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(link).not_to_be_in_viewport()


def test_w6_w9_colours_cycle_by_keyboard_and_are_remembered(visit: Visitor) -> None:
    page = visit(f"{CHAPTER}.html").page
    switch = page.locator("button.theme-switch-button:visible").first

    def press() -> str:
        switch.focus()
        page.keyboard.press("Enter")
        mode: str = page.evaluate("document.documentElement.dataset.mode")
        return mode

    assert sorted(press() for _ in range(3)) == ["auto", "dark", "light"]
    while press() != "dark":
        pass
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    red = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
    assert red < 60
