"""The demos of the book's pages: at every position, by keyboard, by address, and from a file."""

from __future__ import annotations

import json
import random
from pathlib import Path
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.demos import DEMOS, Demo
from tests.browser.visits import none

pytestmark = pytest.mark.site
each_chapter = pytest.mark.parametrize("name", DEMOS)
MARKUP = "root => [root.outerHTML, ...[...root.querySelectorAll('input, select')].map(input => input.value)]"
# The median milliseconds of script at moves of the first control to each of its values.
COST = """(root, count) => {
  const controls = [...root.querySelectorAll('[data-parameter]')], control = controls[0], costs = [];
  const choices = controls.filter(other => other.dataset.parameter === control.dataset.parameter);
  for (let to = 0; to < count; to++) {
    if (choices.length > 1) choices[to].checked = true; else control.value = to;
    const from = performance.now();
    control.dispatchEvent(new Event('input', {bubbles: true}));
    costs.push(performance.now() - from);
  }
  return costs.sort((a, b) => a - b)[Math.floor(costs.length / 2)];
}"""


def demos(page: Page) -> list[Demo]:
    return [Demo(page, number) for number in range(page.locator(".explore").count())]


@each_chapter
def test_w1_w6_w8_w9_at_every_position_and_by_keyboard_the_picture_follows(visit: Visitor, name: str) -> None:
    opened = visit(f"{name}.html")
    page = opened.page
    found = demos(page)
    assert len(found) == DEMOS[name] == page.locator("figure:has(.explore) figcaption").count()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))
    for demo in found:
        others = [other.root for other in found if other is not demo]
        untouched = [other.evaluate(MARKUP) for other in others]
        every_position_can_be_reached(demo)
        assert [other.evaluate(MARKUP) for other in others] == untouched
        assert demo.root.evaluate(COST, len(demo.parameters[0].texts)) < 50  # 16 is a smooth move
    none(opened.faults)


def every_position_can_be_reached(demo: Demo) -> None:
    # However one comes to a position, it shows the same: nothing is left over from the one before.
    there = random.Random(0).sample(sorted(demo.words), len(demo.words))
    frames = dict(zip(there, demo.sweep(there)))
    assert demo.sweep(there[::-1]) == [frames[position] for position in there[::-1]]
    for position, frame in frames.items():
        assert frame["words"] == demo.words[position]
        assert frame["outputs"] == frame["spoken"] == demo.texts(position)
    assert len({frame["picture"] for frame in frames.values()}) == len(frames)
    assert len(set(demo.words.values())) == len(frames)

    demo.goto(demo.ends()[0])
    for index, parameter in enumerate(demo.parameters):
        demo.reach(parameter)
        for _ in parameter.texts[1:]:
            demo.step(parameter)
            assert demo.state() == frames[demo.position()]
        assert demo.position()[index] == len(parameter.texts) - 1
        if parameter.kind == "range":
            for key in ("Home", "PageUp", "PageDown", "End"):
                before = demo.position()[index]
                demo.page.keyboard.press(key)
                assert demo.position()[index] != before, key
                assert demo.state() == frames[demo.position()]
    expect(demo.root.get_by_role("img")).to_have_accessible_name(
        f"{demo.root.locator('[id$=alt]').text_content()} {demo.words[demo.position()]}"
    )


@each_chapter
def test_w1_w3_the_address_of_a_position_opens_it_without_a_server(
    visit: Visitor, site: Path, name: str
) -> None:
    page = visit(f"{name}.html").page
    visited = page.evaluate("history.length")
    *_, demo = demos(page)
    demo.goto(demo.ends()[1])
    wanted = demo.address(demo.position())
    page.wait_for_function("wanted => decodeURIComponent(location.hash) === wanted", arg=wanted)
    assert page.evaluate("history.length") == visited  # the way back does not lead through every move

    sent = visit((site / f"{name}.html").as_uri() + wanted)
    *_, other = demos(sent.page)
    assert (other.position(), other.state()) == (demo.position(), demo.state())
    expect(other.root.locator("svg")).to_be_in_viewport()
    for nonsense in ("nonsense", "", "-1e999"):
        sent.page.evaluate("hash => { location.hash = hash; }", f"#{demo.parameters[0].name}={nonsense}")
        assert other.state()["spoken"] == other.texts(other.position())
    none(sent.faults)


def test_w1_every_link_to_a_demo_sets_what_the_demo_has(site: Path) -> None:
    parsed = {
        name: BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        for name in [*DEMOS, "book/teach"]
    }
    settings = {  # by page, for each demo
        name: [
            {
                parameter: in_address
                for parameter, _, in_address in json.loads(script.get_text())["parameters"]
            }
            for script in page.select(".explore script")
        ]
        for name, page in parsed.items()
    }
    for name, page in parsed.items():
        links = [str(link["href"]) for link in page.select("article a[href*='#'][href*='=']")]
        links = [link for link in links if "://" not in link]
        assert links, name
        for link in links:
            target = urlsplit(urljoin(f"{name}.html", link))
            wanted = parse_qsl(target.fragment)
            assert any(
                all(value in demo.get(parameter, ()) for parameter, value in wanted)
                for demo in settings[target.path.removesuffix(".html")]
            ), link


def test_w1_a_link_in_an_answer_moves_its_demo_into_sight(visit: Visitor) -> None:
    page = visit("notebooks/03_random_walk.html").page
    link = page.locator("details a[href*='=']").first
    link.evaluate("link => { link.closest('details').open = true; }")
    wanted = dict(parse_qsl(urlsplit(link.get_attribute("href") or "").fragment))
    link.click()
    (demo,) = [demo for demo in demos(page) if {p.name for p in demo.parameters} >= set(wanted)]
    standing = {p.name: p.in_address[at] for p, at in zip(demo.parameters, demo.position())}
    assert standing | wanted == standing
    expect(demo.root.locator("svg")).to_be_in_viewport()


def test_w1_a_demo_far_down_stays_where_the_address_brought_it(visit: Visitor) -> None:
    page = visit("notebooks/04_residual_stream.html#n_embd=1600").page
    middle = """() => {
      const box = document.querySelector('.explore:has([data-parameter=n_embd])').getBoundingClientRect();
      return (box.top + box.bottom - innerHeight) / 2;
    }"""
    guessed = """() => [...document.querySelectorAll('article > section > section:has(~ section .explore)')]
      .filter(section => getComputedStyle(section).contentVisibility !== 'visible').length"""
    assert not page.evaluate(guessed)  # nothing above can change its height any more
    for _ in range(5):  # sections are laid out a frame after they come near
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
        assert abs(page.evaluate(middle)) < 60


def test_w1_two_demos_that_are_moved_at_once_are_both_in_the_address(visit: Visitor) -> None:
    page = visit("notebooks/04_residual_stream.html").page
    page.evaluate("""() => {
      for (const slider of document.querySelectorAll('.explore input[type=range]')) {
        slider.value = slider.max;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }""")
    page.wait_for_function("location.hash.includes('n_layer=') && location.hash.includes('n_embd=')")
