"""Makes notebooks as students submit them, from a problem set and answers to some of its tasks."""

from __future__ import annotations

import json
from typing import Any

import nbformat

from tests.assignments.tasks import STUDENT, notebook, tasks


def release(name: str) -> Any:
    """Return the cells of a problem set as a student gets them."""
    released = nbformat.from_dict(json.loads(json.dumps(notebook(name))))
    found = tasks(name)
    for cell in released.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution") and not marks.get("grade"):
            cell.source = found[marks["grade_id"]].released
        elif marks.get("solution"):
            cell.source = "YOUR ANSWER HERE"
        elif marks.get("grade"):
            cell.source = cell.source.partition("### BEGIN HIDDEN TESTS")[0].rstrip()
    return released


def answered(name: str, answers: dict[str, str], student: str) -> Any:
    """Return a released problem set with the id of `student` and `answers`, by task."""
    submission = release(name)
    for cell in submission.cells:
        cell.source = STUDENT.sub(f'STUDENT_ID = "{student}"', cell.source)
        task = cell.metadata.get("nbgrader", {}).get("grade_id")
        if task in answers and cell.metadata["nbgrader"]["solution"]:
            cell.source = answers[task]
    return submission


def solutions(name: str, *, only: set[str] | None = None) -> dict[str, str]:
    """Return the instructor's answers to all tasks, or to those in `only`."""
    return {task.name: task.solution for task in tasks(name).values() if only is None or task.name in only}


def cell(submission: Any, grade_id: str) -> Any:
    """Return the cell with that grade_id."""
    return next(
        one for one in submission.cells if one.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )
