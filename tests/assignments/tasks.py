"""The tasks of the problem sets, read from their notebooks, and their checks run as functions.

A task is a solution cell and the test cell that follows it. It leans on no other task's answer, so it runs by
itself: what the notebook gives, then an answer, then the checks. No kernel is started.
"""

from __future__ import annotations

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
    folder: Path  # of the notebook, where its kernel runs
    points: float
    given: tuple[str, ...]  # what the notebook defines before the checks, in its order
    solution: str  # the solution cell as the instructor has it
    checks: str

    @property
    def released(self) -> str:
        """The solution cell as a student gets it."""
        return SOLUTION.sub(r"\1# YOUR CODE HERE\n\1raise NotImplementedError()", self.solution)


@cache
def notebook(name: str) -> Any:
    """The source notebook of a problem set."""
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


@cache
def tasks(name: str) -> dict[str, Task]:
    """The tasks of a problem set that are graded by code, by name, in their order."""
    given: list[str] = []
    solutions: dict[str, str] = {}
    found: dict[str, Task] = {}
    for cell in notebook(name).cells:
        label = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        if label.get("grade") and not label.get("solution"):
            task = label["grade_id"].removesuffix("-test")
            folder, points = SOURCE / name, label["points"]
            found[task] = Task(task, folder, points, tuple(given), solutions[task], cell.source)
        elif label.get("solution"):
            solutions[label["grade_id"]] = cell.source
        else:
            given.append(cell.source)
    return found


def check(task: Task, answer: str, student: str = "ada") -> Exception | None:
    """What goes wrong where `answer` stands in the solution cell of `student`; None if the checks pass."""
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        with chdir(task.folder), torch.random.fork_rng():
            for source in task.given:
                exec(_compiled(STUDENT.sub(f"STUDENT_ID = {student!r}", source), "given"), names)
            with suppress(Exception):  # as in a notebook, where the next cell runs all the same
                exec(_compiled(answer, "answer"), names)
            exec(_compiled(task.checks, "checks"), names)
    except Exception as wrong:
        return wrong
    return None


@cache
def _compiled(source: str, name: str) -> Any:
    return compile(source, f"<{name}>", "exec")
