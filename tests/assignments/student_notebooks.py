"""Notebooks as students hand them in, made from a problem set and from answers to some of its tasks."""

from __future__ import annotations

import json
from typing import Any

import nbformat

from tests.assignments.tasks import STUDENT, notebook, tasks


def release(name: str) -> Any:
    """The problem set as a student gets it, but for what is irrelevant to its cells."""
    released = nbformat.from_dict(json.loads(json.dumps(notebook(name))))
    found = tasks(name)
    for cell in released.cells:
        label = cell.metadata.get("nbgrader", {})
        if label.get("solution") and not label.get("grade"):
            cell.source = found[label["grade_id"]].released
        elif label.get("solution"):
            cell.source = "YOUR ANSWER HERE"
        elif label.get("grade"):
            cell.source = cell.source.partition("### BEGIN HIDDEN TESTS")[0].rstrip()
    return released


def answered(name: str, answers: dict[str, str], student: str) -> Any:
    """A released problem set in which `student` typed their id and filled in `answers`, by task."""
    submission = release(name)
    for cell in submission.cells:
        cell.source = STUDENT.sub(f'STUDENT_ID = "{student}"', cell.source)
        task = cell.metadata.get("nbgrader", {}).get("grade_id")
        if task in answers and cell.metadata["nbgrader"]["solution"]:
            cell.source = answers[task]
    return submission


def solutions(name: str, *, only: set[str] | None = None) -> dict[str, str]:
    """The instructor's answers, to all tasks or to some."""
    return {task.name: task.solution for task in tasks(name).values() if only is None or task.name in only}


def cell(submission: Any, label: str) -> Any:
    """The cell of that name."""
    return next(one for one in submission.cells if one.metadata.get("nbgrader", {}).get("grade_id") == label)
