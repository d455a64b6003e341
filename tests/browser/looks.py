"""A look at a page: opened once, light and dark, on a desk and on a phone; all that is wrong is noted."""

from __future__ import annotations

import io
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from PIL import Image, ImageChops
from playwright.sync_api import Page

from tests.browser.visits import DESK, PHONE

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
# Lines of code whose wrapped rows do not hang to the right of where the line begins, or part a name other
# than behind a word of it. Far in, rows hardly hold a name.
WRAPPED = """() => {
  const faults = [], range = document.createRange();
  for (const line of document.querySelectorAll('article pre .line')) {
    const isFar = parseInt(line.style.getPropertyValue('--indent')) > 8;
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let start, before = ' ', bottom = Infinity;
    for (let node; (node = walker.nextNode());) {
      for (let at = 0; at < node.data.length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect(), here = node.data[at];
        if (here.trim()) start ??= box;
        if (here.trim() && box.top > start.bottom - 2 && box.left < start.left + start.width)
          faults.push(`row at the left edge: ${line.textContent.trim()}`);
        if (!isFar && box.top > bottom - 2 && /[A-Za-z0-9]/.test(before) && /\\w/.test(here))
          faults.push(`parted at ${node.data.slice(at)}: ${line.textContent.trim()}`);
        if (box.height) bottom = box.bottom;
        before = here;
      }
    }
  }
  return faults;
}"""
# Boxes that show only a part of their content.
CUT = """([selector, side]) => [...document.querySelectorAll(selector)]
  .filter(box => box['scroll' + side] > box['client' + side] + 1)
  .filter(box => getComputedStyle(box).overflow !== 'visible')
  .map(box => `${box['scroll' + side]} of ${box['client' + side]}: ${box.textContent.slice(0, 80)}`)"""
CONTROLS = ".prev-next-area a, article summary, article label"
TABLES = "article .pst-scrollable-table-container"
# Dark text is measured as it will stay, not halfway through the theme's change of colours.
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"


def axe(page: Page, rules: list[str] | None = None, within: str = "html") -> list[str]:
    """What axe finds, a line an element: by these `rules` alone if there are any, `within` these parts."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # The styles are not fetched once more, some of them from a wrong place, for a rule that is off.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = rules
    run = "([within, options]) => axe.run(within, options).then(results => results.violations)"
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:160]} " + " ".join(node["failureSummary"].split())
        for fault in page.evaluate(run, [within, options])
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


def faults_of(page: Page, *, whole_tables: bool) -> list[str]:
    """Look at a page that was opened in a light scheme, on a desk."""
    page.add_style_tag(content=STILL)
    faults = axe(page) + page.evaluate(WRAPPED) + page.evaluate(CUT, ["div.math", "Height"])
    page.set_viewport_size(PHONE)
    faults += page.evaluate(WRAPPED) + page.evaluate(WIDER)
    faults += page.evaluate(CUT, [f"{CONTROLS}, {TABLES}" if whole_tables else CONTROLS, "Width"])
    scheme(page, "dark")
    faults += page.evaluate(WIDER)
    page.set_viewport_size(DESK)
    faults += axe(page, ["color-contrast", "link-in-text-block"])  # the scheme changes colours alone
    for picture in page.locator(PICTURES).all():
        # Ink alone whitens a few percent.
        if picture.is_visible() and share_of_white(picture.screenshot(animations="disabled")) > 0.10:
            faults.append(f"a white box: {picture.evaluate('e => e.outerHTML')[:160]}")
    return faults
