"""A look at a page: opened once, light and dark, on a desk and on a phone; what many tests ask is noted."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from PIL import Image, ImageChops
from playwright.sync_api import Page

from tests.browser.visits import DESK, PHONE, Visit

NEAR_WHITE = 200  # of 255, each of red, green and blue; the theme dims white boxes to about 220
PICTURES = "article.bd-article :is(img, svg):not(svg *, .svg-inline--fa, button *, a.headerlink *)"
WIDER = """() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const out = [...document.body.querySelectorAll('*')].filter(
    element => element.getBoundingClientRect().right > root.clientWidth + 1);
  const innermost = out.filter(element => !out.some(other => other !== element && element.contains(other)));
  const named = innermost.slice(0, 5).map(element => element.outerHTML.slice(0, 120));
  return [`${root.scrollWidth} of ${root.clientWidth}`, ...named];
}"""
# Lines of code whose wrapped rows do not hang to the right of where the line begins.
FLUSH = """() => [...document.querySelectorAll('article pre .line')].filter(line => {
  const range = document.createRange(), walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let start;
  for (let node; (node = walker.nextNode());) {
    for (let at = 0; at < node.data.length; at++) {
      if (!node.data[at].trim()) continue;
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      start ??= box;
      if (box.top > start.bottom - 2 && box.left < start.left + start.width) return true;
    }
  }
  return false;
}).map(line => line.textContent.slice(0, 80))"""
# Names in code that a row's end parts, other than behind a word of them. Far in, rows hardly hold a name.
PARTED = """() => {
  const faults = [], range = document.createRange();
  for (const line of document.querySelectorAll('article pre .line')) {
    if (parseInt(line.style.getPropertyValue('--indent')) > 8) continue;
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let before = ' ', bottom = Infinity;
    for (let node; (node = walker.nextNode());) {
      for (let at = 0; at < node.data.length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect(), here = node.data[at];
        if (box.top > bottom - 2 && /[A-Za-z0-9]/.test(before) && /\\w/.test(here))
          faults.push(`${before}|${node.data.slice(at)}: ${line.textContent.trim()}`);
        if (box.height) bottom = box.bottom;
        before = here;
      }
    }
  }
  return faults;
}"""
# Tables of which a part is out of sight.
HIDDEN = """() => [...document.querySelectorAll('article .pst-scrollable-table-container')]
  .filter(box => box.scrollWidth > box.clientWidth + 1)
  .map(box => `${box.scrollWidth} of ${box.clientWidth}: ${box.innerText.slice(0, 80)}`)"""
FORMULAS = """() => [...document.querySelectorAll('div.math')]
  .filter(box => box.scrollHeight > box.clientHeight).map(box => box.textContent.trim())"""
CUT = """() => [...document.querySelectorAll('.prev-next-area a, article summary, article label')]
  .filter(box => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible')
  .map(box => `${box.scrollWidth} of ${box.clientWidth}: ${box.innerText.slice(0, 80)}`)"""
# Dark text is measured as it will stay, not halfway through the theme's change of colours.
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"


@dataclass
class Look:
    """What was seen of a page; each list is of faults, and empty where all is well."""

    axe: dict[str, list[str]] = field(default_factory=dict)  # by scheme
    wide: dict[str, list[str]] = field(default_factory=dict)  # by scheme, on a phone
    flush: list[str] = field(default_factory=list)  # wrapped code that lost its indent
    parted: list[str] = field(default_factory=list)  # names in code that are no longer whole
    hidden: list[str] = field(default_factory=list)  # tables that a phone shows in part
    cut: list[str] = field(default_factory=list)  # controls that a phone shows in part
    formulas: list[str] = field(default_factory=list)  # of which a part is cut off
    white: list[str] = field(default_factory=list)  # pictures that shine in the dark
    pictures: int = 0
    visit: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


def axe(page: Page, rules: list[str] | None = None, within: str = "html") -> list[str]:
    """What axe finds, a line an element: by these `rules` alone if there are any, `within` these parts."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # The styles are not fetched once more, some of them from a wrong place, for a rule that is off.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = rules
    run = "([within, options]) => axe.run(within, options).then(results => results.violations)"
    found = page.evaluate(run, [within, options])
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:160]} " + " ".join(node["failureSummary"].split())
        for fault in found
        for node in fault["nodes"]
    ]


def scheme(page: Page, name: str) -> None:
    """Let the reader's system ask for light or dark pages, which the book follows unless told otherwise."""
    page.emulate_media(color_scheme="dark" if name == "dark" else "light")
    page.wait_for_function("name => document.documentElement.dataset.theme === name", arg=name)


def share_of_white(png: bytes) -> float:
    """Which part of a picture is nearly white."""
    with Image.open(io.BytesIO(png)) as image:
        red, green, blue = image.convert("RGB").split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue).histogram()
    return sum(darkest[NEAR_WHITE:]) / sum(darkest)


def shining(page: Page) -> tuple[int, list[str]]:
    """How many pictures there are, and which are a white box: ink alone whitens a few percent."""
    count, faults = 0, []
    for picture in page.locator(PICTURES).all():
        if not picture.is_visible():
            continue
        count += 1
        share = share_of_white(picture.screenshot(animations="disabled"))
        if share > 0.10:
            faults.append(f"{share:.0%} white: {picture.evaluate('e => e.outerHTML')[:160]}")
    return count, faults


def look_at(visit: Visit) -> Look:
    """Look at the page of a visit that was opened in a light scheme, on a desk."""
    page, look = visit.page, Look()
    page.add_style_tag(content=STILL)
    look.axe["light"] = axe(page)
    look.formulas, look.flush = page.evaluate(FORMULAS), page.evaluate(FLUSH)
    page.set_viewport_size(PHONE)
    look.wide["light"] = page.evaluate(WIDER)
    look.flush += page.evaluate(FLUSH)
    look.parted = page.evaluate(PARTED)
    look.hidden, look.cut = page.evaluate(HIDDEN), page.evaluate(CUT)
    scheme(page, "dark")
    look.wide["dark"] = page.evaluate(WIDER)
    page.set_viewport_size(DESK)
    # The scheme changes colours alone.
    look.axe["dark"] = axe(page, ["color-contrast", "link-in-text-block"])
    look.pictures, look.white = shining(page)
    look.foreign = visit.foreign
    look.visit = visit.console + visit.errors + visit.missing
    return look
