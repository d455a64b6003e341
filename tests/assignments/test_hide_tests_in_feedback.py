"""A page of feedback shows the error that ended a test, cut short, and none of its other outputs."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from assignments.course.hide_tests_in_feedback import HideTests

NAME = "ps3-variance"
TEST_CELL = {"nbgrader": {"grade": True, "solution": False, "grade_id": "walk-test"}}


def _error(text: str) -> Any:
    return nbformat.v4.new_output("error", ename="AssertionError", evalue=text, traceback=[text])


def _stderr(text: str) -> Any:
    return nbformat.v4.new_output("stream", name="stderr", text=text)


def _page(*tests: list[Any]) -> list[str]:
    """Return what the page shows of test cells with these outputs."""
    cells = [nbformat.v4.new_code_cell("pass", metadata=TEST_CELL, outputs=outputs) for outputs in tests]
    notebook = nbformat.v4.new_notebook(cells=cells)
    shown, _ = HideTests().preprocess(notebook, {"nbgrader": {"assignment": NAME}})
    return ["".join(str(output) for output in cell.outputs) for cell in shown.cells]


def test_output_printed_in_pieces_is_not_shown() -> None:
    pieces = [one for number in range(50) for one in (_stderr(f"piece {number}"), _error(f"fake {number}"))]
    (shown,) = _page([*pieces, _error("the end")])
    assert "piece" not in shown
    assert "fake" not in shown
    assert "AssertionError: the end" in shown


def test_a_test_that_wrote_to_stderr_says_why_it_has_no_points() -> None:
    (shown,) = _page([_stderr("a secret")])
    assert "secret" not in shown
    assert "wrote to stderr" in shown


@pytest.mark.parametrize("longest", [100, 10_000])
def test_the_messages_of_a_page_have_a_total_limit(longest: int) -> None:
    shown = _page(*([_error("x" * longest)] for _ in range(50)))
    assert sum(one.count("x") for one in shown) < 2000
    assert all("AssertionError" in one for one in shown)
