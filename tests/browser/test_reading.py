"""The pages where less is there than a browser usually has: no JavaScript, no server, no screen."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser.conftest import PAGES, Visitor
from tests.browser.looks import WRAPPED
from tests.browser.visits import PAPER, none

pytestmark = pytest.mark.site
each = pytest.mark.parametrize("name", PAGES)

# What cannot be seen of the article: text in elements that are hidden, and pictures that did not load. Closed
# <details> open without a script; the theme repeats the title for print; sliders wait for their script.
UNSEEN = """() => {
  const article = document.querySelector('article.bd-article') || document.querySelector('main'), faults = [];
  const apart = 'script, style, noscript, template, annotation, button, .headerlink, .onlyprint, '
    + '#print-main-content, .explore > [hidden], .self-check [hidden], .explore-note, details:not([open])';
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest(apart)) continue;
    const seen = parent.checkVisibility({opacityProperty: true, visibilityProperty: true});
    if (!seen) faults.push('text: ' + node.data.trim().slice(0, 80));
  }
  for (const image of article.querySelectorAll('img'))
    if (!image.complete || !image.naturalWidth || !image.checkVisibility())
      faults.push('picture: ' + image.src);
  return faults;
}"""
# What is wider than the paper, or lies in a box that cuts it off there, and what of the navigation is left.
MISPRINTED = """() => {
  const wide = document.documentElement.clientWidth, faults = [];
  for (const element of document.querySelectorAll('article.bd-article, article.bd-article *')) {
    if (!element.checkVisibility() || element.closest('svg svg, svg *, math *')) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (style.clip !== 'auto' || style.clipPath === 'inset(50%)') continue;  // for screen readers alone
    const cut = style.overflowX !== 'visible' && element.clientWidth
      && element.scrollWidth > element.clientWidth + 1;
    if (box.right > wide + 1 || cut) faults.push('too wide: ' + element.outerHTML.slice(0, 120));
  }
  const navigation = '.bd-header, .bd-header-article, .bd-sidebar-primary, .bd-sidebar-secondary, '
    + '.prev-next-area, #pst-back-to-top, .search-button__wrapper, .copybtn, .headerlink, nav';
  for (const element of document.querySelectorAll(navigation)) {
    if (element.closest('.onlyprint, #jb-print-docs-body')) continue;  // what the theme adds for print
    if (element.checkVisibility({opacityProperty: true, visibilityProperty: true}) && element.clientHeight)
      faults.push('still there: ' + element.outerHTML.slice(0, 120));
  }
  return faults;
}"""

# Pictures far down are loaded as the reader comes near.
LOAD = """() => Promise.all([...document.images].map(image => {
  image.loading = 'eager';
  return image.decode().catch(() => null);
}))"""


@each
def test_w2_all_text_and_pictures_are_there_without_javascript(visit: Visitor, name: str) -> None:
    opened = visit(f"{name}.html", java_script_enabled=False)
    if name == "search":
        assert "JavaScript" in opened.page.locator("article.bd-article, .bd-content").first.inner_text()
    else:
        none(opened.page.evaluate(UNSEEN) + opened.faults)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_a_page_has_its_colours_before_scripts_or_without_them(visit: Visitor, color_scheme: str) -> None:
    page = visit(f"{PAGES[1]}.html", java_script_enabled=False, color_scheme=color_scheme).page
    bar = page.locator(".bd-header-article").first
    assert bar.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(255, 255, 255)"
    waiting = visit("about:blank", color_scheme=color_scheme).page
    waiting.route("**/*.js*", lambda route: route.abort())
    waiting.goto(page.url)
    assert waiting.evaluate("({...document.documentElement.dataset}).theme") == color_scheme


@each
def test_w3_pages_are_whole_without_a_server(visit: Visitor, site: Path, name: str) -> None:
    opened = visit((site / f"{name}.html").as_uri())
    opened.page.evaluate(LOAD)
    none(opened.page.evaluate(UNSEEN) + opened.faults)
    # The theme's grid is there: the styles were not only found, but work.
    assert opened.page.locator(".bd-container__inner").evaluate("e => getComputedStyle(e).display") != "block"


def test_w3_unpacked_on_a_stick_its_links_lead_from_page_to_page_and_the_search_finds_pages(
    visit: Visitor, site: Path, tmp_path: Path
) -> None:
    stick = shutil.copytree(site, tmp_path / "Stick für die Klasse")
    opened = visit((stick / "index.html").as_uri())
    page = opened.page
    page.wait_for_url("**/intro.html")
    walked = [page.url]
    while (following := page.locator("a.right-next")).count():
        following.click()
        page.wait_for_load_state()
        walked.append(page.url)
    assert walked == [(stick / f"{name}.html").as_uri() for name in PAGES if name != "search"]
    page.goto(f"{(stick / 'search.html').as_uri()}?q=residual")
    page.locator("#search-results a").first.wait_for()
    page.wait_for_timeout(500)  # for what it might still ask for
    none(opened.faults)


@each
def test_w9_print_has_nothing_cut_off_and_no_navigation(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html", viewport=PAPER, color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    none(page.evaluate(MISPRINTED) + page.evaluate(WRAPPED))
    text = page.locator("article.bd-article :is(p, h1)")  # the search page has no article
    for ink in text.evaluate_all("all => all.slice(0, 1).map(e => getComputedStyle(e).color)"):
        assert sum(int(part) for part in ink.strip("rgb()").split(",")[:3]) < 3 * 100, ink
