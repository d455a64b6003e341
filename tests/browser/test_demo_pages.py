"""The demos without JavaScript, on paper, on a phone, in the dark, and from the cache."""

from __future__ import annotations

import shutil

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.contrast import faint
from tests.browser.demos import DEMOS, Demo
from tests.browser.looks import STILL, WIDER, axe, scheme
from tests.browser.visits import PAPER, PHONE, none
from tests.small_books import Book

each_chapter = pytest.mark.parametrize("name", DEMOS)

EXPLORE = """
from matplotlib.figure import Figure
from explorable import explore

def draw(n, kind):
    figure = Figure(figsize=(4, 2))
    axes = figure.add_subplot(xlim=(0, 1), ylim=(0, 10))
    axes.plot([0, 1], [0, n if kind == "up" else 10 - n])
    return figure, f"The line goes {kind} by {n}."

explore(draw, alt="A line.", n=[1, 2, 5], kind=["up", "down"], start={"n": 2})
"""
SCALES = """() => [...document.querySelectorAll('figure :is(.explore svg, img)')].map(drawing => {
  const points = drawing.viewBox ? drawing.viewBox.baseVal.width : drawing.getAttribute('width') * 3 / 4;
  return [drawing.localName, points, drawing.getBoundingClientRect().width / points];
}).filter(([, points]) => Math.abs(points - 72 * 5.6) < 10)"""
# A drawing goes to the edges of the screen, which is wider than the text, but not beyond.
ON_SCREEN = """root => [root, ...root.children, ...root.querySelectorAll("svg")].every(part => {
    const box = part.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth;
})"""


def stands_alone(page: Page, name: str) -> None:
    """Each demo is its picture with its words, a caption, and a note in the place of the controls."""
    assert page.locator(".explore").count() == DEMOS[name]
    for demo in page.locator(".explore").all():
        expect(demo.locator("svg")).to_be_visible()
        for part in (".explore-words", ".explore-note"):
            expect(demo.locator(part)).to_be_visible()
            assert len(demo.locator(part).inner_text().split()) >= 5
        expect(demo.locator(".explore-controls")).to_be_hidden()
        assert demo.evaluate("root => root.scrollWidth <= root.clientWidth")
    for caption in page.locator("figure:has(.explore) figcaption").all():
        expect(caption).to_be_visible()


def words_are_as_large_as_in_other_drawings(page: Page) -> None:
    found = page.evaluate(SCALES)
    assert {kind for kind, *_ in found} == {"svg", "img"}
    scales = [scale for *_, scale in found]
    assert max(scales) == pytest.approx(min(scales), rel=0.05)


@pytest.mark.site
@each_chapter
def test_w2_demo_without_javascript_is_a_picture_with_a_caption(visit: Visitor, name: str) -> None:
    stands_alone(visit(f"{name}.html", java_script_enabled=False).page, name)


@pytest.mark.site
@each_chapter
def test_w2_w7_w9_demo_can_be_read_in_the_dark_on_a_phone_and_in_print(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html", has_touch=True).page
    page.add_style_tag(content=STILL)
    demos = [Demo(page, number) for number in range(DEMOS[name])]
    words_are_as_large_as_in_other_drawings(page)
    for demo in demos:
        demo.goto(demo.ends()[1])
    for mode in ("light", "dark"):
        scheme(page, mode)
        for demo in demos:
            none([f"{mode}: {fault}" for fault in faint(demo.root)])
        none(axe(page, ["color-contrast"] if mode == "dark" else None, within=".explore"))

    page.set_viewport_size(PHONE)
    words_are_as_large_as_in_other_drawings(page)
    for demo in demos:
        for end in demo.ends():
            demo.goto(end)
            none(page.evaluate(WIDER))
            assert demo.root.evaluate(ON_SCREEN)
        for control in demo.root.locator("input[type=range], select, label:has(input)").all():
            box = control.bounding_box()
            assert box
            assert box["height"] >= 24, control.evaluate("e => e.outerHTML")  # a finger's least target
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]

    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    stands_alone(page, name)


def test_w4_second_build_keeps_the_demos_from_the_cache(toy: Book) -> None:
    toy.notebook(EXPLORE)
    shown = []
    for executions in (1, 0):
        built = toy.make("book")
        assert built.returncode == 0, built.stdout + built.stderr
        assert built.stdout.count("Executed notebook") == executions
        (demo,) = BeautifulSoup(toy.page(), "html.parser").select(".explore")
        shown.append(str(demo))
        shutil.rmtree(toy.html)  # so that the page is made again, from what the cache holds
        shutil.rmtree(toy.html.parent / ".doctrees", ignore_errors=True)
    assert shown[0] == shown[1]
    assert "The line goes up by 2." in shown[0]
