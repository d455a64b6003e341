"""The demos where readers may meet them: without JavaScript, on paper, on a phone, in the dark, in a file."""

from __future__ import annotations

import shutil
from pathlib import Path

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


def stands_alone(page: Page, name: str) -> None:
    """Each demo is its picture with its words, a caption, and a note in the place of the controls."""
    assert page.locator(".explore").count() == DEMOS[name]
    for demo in page.locator(".explore").all():
        expect(demo.locator("svg")).to_be_visible()
        for part in (".explore-words", ".explore-note"):
            expect(demo.locator(part)).to_be_visible()
            assert len(demo.locator(part).inner_text().split()) >= 5
        assert not [control for control in demo.locator(".explore-controls").all() if control.is_visible()]
    for caption in page.locator("figure:has(.explore) figcaption").all():
        expect(caption).to_be_visible()


@pytest.mark.site
@each_chapter
def test_w2_demo_without_javascript_is_a_picture_with_a_caption(visit: Visitor, name: str) -> None:
    stands_alone(visit(f"{name}.html", java_script_enabled=False).page, name)


@pytest.mark.site
@each_chapter
def test_w2_demo_in_print_is_a_picture_with_a_caption(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html", viewport=PAPER).page
    page.emulate_media(media="print")
    stands_alone(page, name)
    for demo in page.locator(".explore").all():
        assert demo.evaluate("root => root.scrollWidth <= root.clientWidth")


# A drawing goes to the edges of the screen, which is wider than the text, but not beyond.
ON_SCREEN = """root => [root, ...root.children, ...root.querySelectorAll("svg")].every(part => {
    const box = part.getBoundingClientRect();
    return box.left >= 0 && box.right <= innerWidth;
})"""


@pytest.mark.site
@each_chapter
def test_w9_demo_fits_a_phone_at_both_ends(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html", viewport=PHONE, has_touch=True).page
    for number in range(DEMOS[name]):
        demo = Demo(page, number)
        for end in (-1, 0):
            demo.goto(tuple(range(len(parameter.texts))[end] for parameter in demo.parameters))
            none(page.evaluate(WIDER))
            assert demo.root.evaluate(ON_SCREEN)
        for control in demo.root.locator("input[type=range], select, label:has(input)").all():
            box = control.bounding_box()
            assert box
            assert box["height"] >= 24, control.evaluate("e => e.outerHTML")  # a finger's least target
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.site
@each_chapter
def test_w7_w9_demo_can_be_read_where_it_was_moved_to(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    page.add_style_tag(content=STILL)
    for number in range(DEMOS[name]):
        demo = Demo(page, number)
        demo.goto(tuple(len(parameter.texts) - 1 for parameter in demo.parameters))
    for mode in ("light", "dark"):
        scheme(page, mode)
        for number in range(DEMOS[name]):
            none([f"{mode}: {fault}" for fault in faint(page.locator(".explore").nth(number))])
        none(axe(page, within=".explore"))


@pytest.mark.site
@each_chapter
def test_w3_demo_works_without_a_server(visit: Visitor, site: Path, name: str) -> None:
    opened = visit((site / f"{name}.html").as_uri())
    for number in range(DEMOS[name]):
        demo = Demo(opened.page, number)
        demo.put(demo.parameters[0], 0)
        before = demo.state()
        demo.step(demo.parameters[0])
        assert demo.state()["picture"] != before["picture"]
        assert demo.state()["spoken"] == demo.texts()
    opened.page.wait_for_function("location.hash.includes('=')")
    opened.page.reload()
    assert demo.state()["spoken"] == demo.texts()
    none(opened.faults)


def test_w4_second_build_keeps_the_demos_from_the_cache(toy: Book) -> None:
    toy.notebook(EXPLORE)
    shown = []
    for executions in (1, 0):
        built = toy.make("book")
        assert built.returncode == 0, built.stdout + built.stderr
        assert built.stdout.count("Executed notebook") == executions
        demos = BeautifulSoup(toy.page(), "html.parser").select(".explore")
        assert len(demos) == 1
        shown.append(str(demos[0]))
        shutil.rmtree(toy.html)  # so that the page is made again, from what the cache holds
        shutil.rmtree(toy.html.parent / ".doctrees", ignore_errors=True)
    assert shown[0] == shown[1]
    assert "The line goes up by 2." in shown[0]
