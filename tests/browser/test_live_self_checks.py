"""Self-checks and solutions in a live JupyterLab: judged by the kernel, folded although all was run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import Browser, Locator, expect

from tests.browser.labs import all_run
from tests.browser.visits import Visit
from tests.exercises import NOTEBOOKS, exercises_of

NUMBER = """
from explorable import self_check
from gpt2_teach import residual_std

self_check(
    "Which std?",
    answer=residual_std(12),
    tolerance=0.01,
    right="The root of 24.",
    slips={0.02 / 12**0.5: "You divided by `sqrt(n_layer)`."},
    otherwise="Divide 0.02 by the root of 24.",
)
"""
CHOICE = """
self_check("Is it?", answer="yes", choices={"yes": "It is.", "no": "Look again."})
"""
HIDDEN = {"jupyter": {"source_hidden": True}}


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A notebook with two self-checks and the solution of an exercise, open in JupyterLab, all cells run."""
    folder, settings = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("settings")
    cells = [new_code_cell(source, metadata=HIDDEN) for source in (NUMBER, CHOICE)]
    for cell in exercises_of(NOTEBOOKS[0])[1].solution:
        source = "1 + 1" if cell["cell_type"] == "code" else cell["source"]
        new = new_code_cell if cell["cell_type"] == "code" else new_markdown_cell
        cells.append(new(source, metadata=cell["metadata"]))
    with all_run(browser, folder, settings, cells) as visit:
        expect(outputs(visit)).to_have_count(3, timeout=90_000)
        yield visit


def outputs(live: Visit) -> Locator:
    """What the code cells show."""
    return live.page.locator(".jp-CodeCell .jp-OutputArea-child:not(:empty)")


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("0.0041", "✓ Right. The root of 24."),
        ("0.00577", "Not quite. You divided by sqrt(n_layer)."),
        ("7", "Not quite. Divide 0.02 by the root of 24."),
    ],
)
def test_live_number_is_judged_by_keyboard(live: Visit, typed: str, verdict: str) -> None:
    check = outputs(live).nth(0)
    check.locator("input[type=text]").fill(typed)
    check.get_by_role("button", name="Check").focus()
    live.page.keyboard.press("Enter")
    expect(check.locator("[role=status]")).to_have_text(verdict)


@pytest.mark.parametrize(
    ("choice", "verdict"), [("no", "Not quite. Look again."), ("yes", "✓ Right. It is.")]
)
def test_live_choice_is_judged_by_keyboard(live: Visit, choice: str, verdict: str) -> None:
    check = outputs(live).nth(1)
    check.get_by_label(choice).focus()
    live.page.keyboard.press("Space")
    check.get_by_role("button", name="Check").focus()
    live.page.keyboard.press("Enter")
    expect(check.locator("[role=status]")).to_have_text(verdict)
