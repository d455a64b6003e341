"""Reads the tasks of the problem sets, runs their checks without a kernel, and makes submissions of them.

A task is a solution cell and the test cell that follows it. It does not depend on another task's answer, so
it runs alone: the given cells, then an answer, then the checks.
"""

from __future__ import annotations

import copy
import re
from contextlib import chdir, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import torch

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "assignments" / "source"
PROBLEM_SETS = sorted(path.stem for path in SOURCE.glob("ps*/ps*.ipynb"))
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS$.*?^### END HIDDEN TESTS$", flags=re.M | re.S)
SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION$\n(.*?)^ *### END SOLUTION$", flags=re.M | re.S)
STUDENT = re.compile(r'^STUDENT_ID = ""', flags=re.M)


@dataclass(frozen=True)
class Task:
    """A solution cell with its checks, and the cells of the notebook that both need."""

    name: str
    folder: Path  # of the notebook; the working directory of its kernel
    points: float
    given: tuple[str, ...]  # the cells before the checks, in order
    solution: str  # the solution cell of the source
    checks: str

    @property
    def released(self) -> str:
        """Return the solution cell as a student gets it."""
        return SOLUTION.sub(r"\1# YOUR CODE HERE\n\1raise NotImplementedError()", self.solution)


@cache
def notebook(name: str) -> Any:
    """Return the source notebook of a problem set."""
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


@cache
def tasks(name: str) -> dict[str, Task]:
    """Return the automatically graded tasks of a problem set by name, in order."""
    given: list[str] = []
    solutions: dict[str, str] = {}
    found: dict[str, Task] = {}
    for cell in notebook(name).cells:
        marks = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        if marks.get("grade") and not marks.get("solution"):
            task = marks["grade_id"].removesuffix("-test")
            found[task] = Task(
                task, SOURCE / name, marks["points"], tuple(given), solutions[task], cell.source
            )
        elif marks.get("solution"):
            solutions[marks["grade_id"]] = cell.source
        else:
            given.append(cell.source)
    return found


def check(task: Task, answer: str, student: str = "ada") -> Exception | None:
    """Return the error that the checks raise for an answer of `student`; None if they pass."""
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        with chdir(task.folder), torch.random.fork_rng():
            for source in task.given:
                exec(_compiled(STUDENT.sub(f"STUDENT_ID = {student!r}", source), "given"), names)
            with suppress(Exception):  # as in a notebook, where the next cell still runs
                exec(_compiled(answer, "answer"), names)
            exec(_compiled(task.checks, "checks"), names)
    except Exception as error:
        return error
    return None


@cache
def _compiled(source: str, name: str) -> Any:
    return compile(source, f"<{name}>", "exec")


def release(name: str) -> Any:
    """Return a problem set as a student gets it."""
    released = copy.deepcopy(notebook(name))
    for cell in released.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            cell.source = (
                "YOUR ANSWER HERE" if marks.get("grade") else tasks(name)[marks["grade_id"]].released
            )
        elif marks.get("grade"):
            cell.source = cell.source.partition("### BEGIN HIDDEN TESTS")[0].rstrip()
    return released


def answered(name: str, student: str, **answers: str) -> Any:
    """Return a problem set with the id of `student`, and `answers` by task or else all solutions."""
    answers = answers or {task.name: task.solution for task in tasks(name).values()}
    submission = release(name)
    for one in submission.cells:
        one.source = STUDENT.sub(f'STUDENT_ID = "{student}"', one.source)
        marks = one.metadata.get("nbgrader", {})
        if marks.get("solution") and marks["grade_id"] in answers:
            one.source = answers[marks["grade_id"]]
    return submission


def cell(submission: Any, grade_id: str) -> Any:
    """Return the cell with that grade_id."""
    return next(
        one for one in submission.cells if one.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )
