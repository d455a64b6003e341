"""A page of feedback shows the error that ended a test, cut short, and none of its other outputs."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from assignments.course.hide_tests_in_feedback import HideTests

TEST_CELL = {"nbgrader": {"grade": True, "solution": False, "grade_id": "walk-test"}}


def error(text: str) -> Any:
    return nbformat.v4.new_output("error", ename="AssertionError", evalue=text, traceback=[text])


def stderr(text: str) -> Any:
    return nbformat.v4.new_output("stream", name="stderr", text=text)


def page(*tests: list[Any]) -> list[str]:
    """Return what the page shows of test cells with these outputs."""
    cells = [nbformat.v4.new_code_cell("pass", metadata=TEST_CELL, outputs=outputs) for outputs in tests]
    notebook = nbformat.v4.new_notebook(cells=cells)
    shown, _ = HideTests().preprocess(notebook, {"nbgrader": {"assignment": "ps3-variance"}})
    return ["".join(str(output) for output in cell.outputs) for cell in shown.cells]


def test_only_the_last_error_is_shown() -> None:
    pieces = [one for number in range(50) for one in (stderr(f"piece {number}"), error(f"fake {number}"))]
    shown, silent = page([*pieces, error("the end")], [stderr("a secret")])
    assert "piece" not in shown
    assert "fake" not in shown
    assert "AssertionError: the end" in shown
    assert "secret" not in silent
    assert "wrote to stderr" in silent


@pytest.mark.parametrize("longest", [100, 10_000])
def test_the_messages_of_a_page_have_a_total_limit(longest: int) -> None:
    shown = page(*([error("x" * longest)] for _ in range(50)))
    assert sum(one.count("x") for one in shown) < 2000
    assert all("AssertionError" in one for one in shown)
