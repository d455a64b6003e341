"""`explore` in a live JupyterLab: the picture follows the slider, faults are shown, the last move wins."""

from __future__ import annotations

from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.labs import all_run
from tests.browser.visits import Visit

DRAW = """
import time
from matplotlib.figure import Figure
from explorable import explore

def draw(n):
    if n == 13:
        raise ValueError("thirteen cannot be drawn")
    time.sleep(0.1)  # as long as a real drawing takes
    figure = Figure(figsize=(4, 2))
    axes = figure.add_subplot(xlim=(0, 1), ylim=(0, 40))
    axes.plot([0, 1], [0, n])
    return figure, f"The line ends at {n}."

explore(draw, alt="A rising line.", n=[1, 2, 5, 8, 13, 20, 30, 40], start={"n": 2})
"""


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A notebook with a demo, open in JupyterLab, all its cells run by the menu."""
    folder, settings = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("settings")
    with all_run(browser, folder, settings, [nbformat.v4.new_code_cell(DRAW, id="c1")]) as visit:
        expect(visit.page.locator(".jp-OutputArea-output [role=slider]")).to_be_visible(timeout=90_000)
        yield visit


@pytest.fixture
def slider(live: Visit) -> Locator:
    """The demo's slider, at its first value and focused."""
    slider = live.page.locator(".jp-OutputArea-output [role=slider]")
    slider.focus()
    live.page.keyboard.press("Home")
    expect(words(live)).to_have_text("The line ends at 1.")
    return slider


def words(live: Visit) -> Locator:
    """What the demo says about its picture."""
    return live.page.locator(".jp-OutputArea-output [role=status]")


def picture(live: Visit) -> Locator:
    """The demo's picture."""
    return live.page.locator(".jp-OutputArea-output .widget-html svg")


def test_w1_w8_live_picture_and_words_follow_the_keyboard(live: Visit, slider: Locator) -> None:
    drawn = {picture(live).inner_html()}
    for n in (2, 5, 8):
        live.page.keyboard.press("ArrowRight")
        expect(words(live)).to_have_text(f"The line ends at {n}.")
        expect(picture(live)).to_have_attribute("aria-label", f"A rising line. The line ends at {n}.")
        drawn.add(picture(live).inner_html())
    assert len(drawn) == 4


def test_w1_live_rapid_moves_end_at_the_last_value(live: Visit, slider: Locator) -> None:
    for keys in (["ArrowRight"] * 7, ["ArrowLeft"] * 5, ["ArrowRight"] * 3):
        for key in keys:
            live.page.keyboard.press(key)
    expect(words(live)).to_have_text("The line ends at 20.")
    live.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()  # nothing is left to come
    expect(words(live)).to_have_text("The line ends at 20.")
    expect(picture(live)).to_have_attribute("aria-label", "A rising line. The line ends at 20.")
