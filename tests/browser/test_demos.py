"""The demos of the book's pages: by keyboard through every position, and what a slider must not break."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from itertools import product
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.demos import DEMOS, Demo, each_demo
from tests.browser.visits import none

pytestmark = pytest.mark.site
MARKUP = "root => [root.outerHTML, ...[...root.querySelectorAll('input, select')].map(input => input.value)]"


def keys_in_address(demo: Demo) -> list[str]:
    """The parameters' names in the address, which stands there once a move has settled."""
    demo.put(demo.parameters[0], 0)
    demo.step(demo.parameters[0])
    values = [parameter.in_address[at] for parameter, at in zip(demo.parameters, demo.position())]
    there = """values => {
      const written = [...new URLSearchParams(location.hash.slice(1)).values()];
      return values.every((value, index) => value === written[index]);
    }"""
    demo.page.wait_for_function(there, arg=values)
    written = parse_qsl(urlsplit(demo.page.url).fragment)[: len(values)]  # another demo's may stand behind
    return [key for key, _ in written]


def shuffled(positions: Collection[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The positions in an order in which neighbours seldom follow one another, there and back."""
    there = random.Random(0).sample(sorted(positions), len(positions))
    return [*there, *reversed(there)]


@pytest.mark.parametrize("name", DEMOS)
def test_w1_every_demo_is_there(visit: Visitor, name: str) -> None:
    opened = visit(f"{name}.html")
    assert opened.page.locator(".explore").count() == DEMOS[name]
    for controls in opened.page.locator(".explore-controls").all():
        expect(controls).to_be_visible()
    assert opened.page.locator("figure:has(.explore) figcaption").count() == DEMOS[name]
    ids = opened.page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert [name for name in set(ids) if ids.count(name) > 1] == []
    none(opened.faults)


@each_demo
def test_w1_w6_w8_w9_keyboard_goes_through_all_positions_and_the_picture_follows(
    visit: Visitor, name: str, number: int
) -> None:
    opened = visit(f"{name}.html")
    demo = Demo(opened.page, number)
    elsewhere = [opened.page.locator(".explore").nth(i) for i in range(DEMOS[name]) if i != number]
    untouched = [other.evaluate(MARKUP) for other in elsewhere]
    first, *others = demo.parameters
    frames = {}
    for combination in product(*(range(len(parameter.texts)) for parameter in others)):
        for parameter, at in zip(others, combination):
            demo.put(parameter, at)
        demo.put(first, 0)
        for at in range(len(first.texts)):
            if at:
                demo.step(first)
            assert demo.position() == (at, *combination)
            now = frames[at, *combination] = demo.state()
            if at:
                before = frames[at - 1, *combination]
                assert now["picture"] != before["picture"], f"the picture stands still at {demo.position()}"
                assert now["words"] != before["words"], f"the words stand still at {demo.position()}"
            assert now["outputs"] == now["spoken"] == demo.texts()
            assert " ".join(now["words"].split()) == demo.words[demo.position()]
            description = re.compile(re.escape(demo.words[demo.position()]))
            expect(demo.root.get_by_role("img")).to_have_accessible_name(description)

    # However one comes to a position, it shows the same: nothing is left over from the one before.
    keys = keys_in_address(demo)
    for position in shuffled(frames):
        demo.visit(keys, position)
        assert demo.state() == frames[position], f"the address leads to something else than {position}"
    demo.reach(first)
    for key, at in (("End", len(first.texts) - 1), ("Home", 0)):
        if first.kind != "radio":
            opened.page.keyboard.press(key)
            assert demo.state() == frames[at, *demo.position()[1:]]
    assert [other.evaluate(MARKUP) for other in elsewhere] == untouched
    none(opened.faults)


@each_demo
def test_w1_address_brings_back_the_position(visit: Visitor, name: str, number: int) -> None:
    page = visit(f"{name}.html").page
    visited = page.evaluate("history.length")
    demo = Demo(page, number)
    keys = keys_in_address(demo)
    demo.goto(tuple(len(parameter.texts) - 1 for parameter in demo.parameters))
    wanted = demo.address(keys, demo.position())
    page.wait_for_function("wanted => decodeURIComponent(location.hash) === wanted", arg=wanted)
    assert page.evaluate("history.length") == visited  # the way back does not lead through every move

    sent = visit(page.url, whole=False)
    other = Demo(sent.page, number)
    assert (other.position(), other.state()) == (demo.position(), demo.state())
    expect(other.root.locator("svg")).to_be_in_viewport()
    for nonsense in ("nonsense", "", "-1e999"):
        sent.page.evaluate("hash => { location.hash = hash; }", f"#{keys[0]}={nonsense}")
        assert other.state()["spoken"] == other.texts()
    none(sent.faults)


@pytest.mark.parametrize("name", DEMOS)
def test_w1_links_in_the_answers_move_their_demo(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    links = page.locator("details a[href*='=']").all()
    assert links
    for link in links:
        link.evaluate("link => { link.closest('details').open = true; }")
        wanted = dict(parse_qsl(urlsplit(link.get_attribute("href") or "").fragment))
        link.click()
        moved = [Demo(page, number) for number in range(DEMOS[name])]
        (demo,) = [demo for demo in moved if {p.name for p in demo.parameters} >= set(wanted)]
        standing = {p.name: p.in_address[at] for p, at in zip(demo.parameters, demo.position())}
        assert standing | wanted == standing
        expect(demo.root.locator("svg")).to_be_in_viewport()


def test_w1_two_demos_that_are_moved_at_once_are_both_in_the_address(visit: Visitor) -> None:
    page = visit("notebooks/04_residual_stream.html").page
    assert DEMOS["notebooks/04_residual_stream"] == 2
    page.evaluate("""() => {
      for (const slider of document.querySelectorAll('.explore input[type=range]')) {
        slider.value = slider.max;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }""")
    page.wait_for_function("location.hash.includes('=')")
    page.wait_for_timeout(500)
    fragment = dict(parse_qsl(urlsplit(page.url).fragment))
    assert set(fragment) == {"n_layer", "n_embd"}
