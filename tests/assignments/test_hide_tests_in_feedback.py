"""A page of feedback holds what a test ended in, cut short, and nothing that was put out on the way."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from assignments.course.hide_tests_in_feedback import HideChecks

NAME = "ps3-variance"
ABOUT = {"nbgrader": {"grade": True, "solution": False, "grade_id": "walk-test"}}


def _error(text: str) -> Any:
    return nbformat.v4.new_output("error", ename="AssertionError", evalue=text, traceback=[text])


def _stderr(text: str) -> Any:
    return nbformat.v4.new_output("stream", name="stderr", text=text)


def _page(*tests: list[Any]) -> list[str]:
    """What the page shows of test cells that put that out."""
    cells = [nbformat.v4.new_code_cell("pass", metadata=ABOUT, outputs=outputs) for outputs in tests]
    notebook = nbformat.v4.new_notebook(cells=cells)
    shown, _ = HideChecks().preprocess(notebook, {"nbgrader": {"assignment": NAME}})
    return ["".join(str(output) for output in cell.outputs) for cell in shown.cells]


def test_of_what_was_printed_in_pieces_nothing_is_shown() -> None:
    pieces = [one for number in range(50) for one in (_stderr(f"piece {number}"), _error(f"fake {number}"))]
    (shown,) = _page([*pieces, _error("the end")])
    assert "piece" not in shown
    assert "fake" not in shown
    assert "AssertionError: the end" in shown


def test_who_wrote_to_stderr_is_told_why_there_are_no_points() -> None:
    (shown,) = _page([_stderr("a secret")])
    assert "secret" not in shown
    assert "written to stderr" in shown


@pytest.mark.parametrize("longest", [100, 10_000])
def test_all_messages_of_a_page_together_are_bounded(longest: int) -> None:
    shown = _page(*([_error("x" * longest)] for _ in range(50)))
    assert sum(one.count("x") for one in shown) < 2000
    assert all("AssertionError" in one for one in shown)
