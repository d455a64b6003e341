"""Demos, self-checks and solutions in a live JupyterLab, where the kernel draws and judges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import Browser, Locator, expect

from tests.browser.labs import all_run
from tests.browser.visits import Visit, none
from tests.exercises import NOTEBOOKS, exercises_of

DRAW = """
import time
from matplotlib.figure import Figure
from explorable import explore, self_check

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
NUMBER = """
self_check(
    "2 + 2?", answer=4, tolerance=0.01, right="Yes.", slips={5: "One `less`."}, otherwise="Count.")
"""
CHOICE = """
self_check("Is it?", answer="yes", choices={"yes": "It is.", "no": "Look again."})
"""
HIDDEN = {"jupyter": {"source_hidden": True}}


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A notebook with a demo, two self-checks and a solution, open in JupyterLab, all its cells run."""
    folder, settings = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("settings")
    cells = [new_code_cell(DRAW), *(new_code_cell(source, metadata=HIDDEN) for source in (NUMBER, CHOICE))]
    for cell in exercises_of(NOTEBOOKS[0])[1].solution:
        if cell["cell_type"] == "code":
            cells.append(new_code_cell("1 + 1", metadata=cell["metadata"]))
        else:
            cells.append(new_markdown_cell(cell["source"], metadata=cell["metadata"]))
    with all_run(browser, folder, settings, cells) as visit:
        expect(outputs(visit)).to_have_count(4, timeout=90_000)
        yield visit


def outputs(live: Visit) -> Locator:
    """What the code cells show."""
    return live.page.locator(".jp-CodeCell .jp-OutputArea-child:not(:empty)")


def test_w1_w8_live_picture_and_words_follow_the_slider_also_after_a_fault(live: Visit) -> None:
    page, demo = live.page, outputs(live).nth(0)
    words, picture, alert = (demo.locator(part) for part in ("[role=status]", "svg", "[role=alert]"))
    demo.locator("[role=slider]").focus()
    page.keyboard.press("Home")
    for n in (1, 2, 5, 8):
        expect(words).to_have_text(f"The line ends at {n}.")
        expect(picture).to_have_attribute("aria-label", f"A rising line. The line ends at {n}.")
        page.keyboard.press("ArrowRight")
    expect(alert).to_contain_text("ValueError: thirteen cannot be drawn")
    expect(picture.or_(words)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(words).to_have_text("The line ends at 20.")
    expect(picture).to_be_visible()
    expect(alert).to_have_count(0)


def test_w1_live_rapid_moves_end_at_the_last_value(live: Visit) -> None:
    demo = outputs(live).nth(0)
    demo.locator("[role=slider]").focus()
    for keys in (["Home"], ["ArrowRight"] * 7, ["ArrowLeft"] * 5, ["ArrowRight"] * 3):
        for key in keys:
            live.page.keyboard.press(key)
    for _ in range(2):
        expect(demo.locator("[role=status]")).to_have_text("The line ends at 20.")
        live.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()  # nothing is left to come
    expect(demo.locator("svg")).to_have_attribute("aria-label", "A rising line. The line ends at 20.")


def test_w9_live_self_checks_are_judged_by_keyboard(live: Visit) -> None:
    page, number, choice = live.page, outputs(live).nth(1), outputs(live).nth(2)
    for typed, verdict in (
        ("4.01", "✓ Right. Yes."),
        ("5", "Not quite. One less."),
        ("7", "Not quite. Count."),
    ):
        number.locator("input[type=text]").fill(typed)
        number.get_by_role("button", name="Check").focus()
        page.keyboard.press("Enter")
        expect(number.locator("[role=status]")).to_have_text(verdict)
    for label, verdict in (("no", "Not quite. Look again."), ("yes", "✓ Right. It is.")):
        choice.get_by_label(label).focus()
        page.keyboard.press("Space")
        choice.get_by_role("button", name="Check").focus()
        page.keyboard.press("Enter")
        expect(choice.locator("[role=status]")).to_have_text(verdict)


def test_w3_live_answers_and_solutions_are_folded_and_nothing_is_asked_of_another_host(live: Visit) -> None:
    assert live.page.locator(".jp-CodeCell .jp-InputPlaceholder").count() == 3
    folds = live.page.locator(".jp-MarkdownOutput details")
    expect(folds).to_have_count(2)
    for fold in folds.all():
        expect(fold.locator("p").first).to_be_hidden()
        fold.locator("summary").click()
        expect(fold.locator("p").first).to_be_visible()
    none(live.foreign + live.errors)
