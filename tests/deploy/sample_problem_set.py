"""Makes a tiny problem set, reads the solutions of any, and fills in a student's answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

SOLUTION = (
    "def halved(std: float) -> float:\n    ### BEGIN SOLUTION\n    return std / 2\n    ### END SOLUTION"
)


def tiny_problem_set(folder: Path, needs: str) -> Path:
    """Write a problem set with one solution worth two points into `folder`; return its folder.

    Its first cell imports the module `needs`.
    """

    def cell(kind: str, name: str, source: str, points: int | None = None) -> Any:
        new = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}[kind](
            source, id=name
        )
        solution = kind == "code" and points is None and source == SOLUTION
        marks = {"schema_version": 3, "grade_id": name, "task": False}
        marks |= {"solution": solution, "grade": points is not None, "locked": not solution}
        new.metadata["nbgrader"] = marks | ({} if points is None else {"points": points})
        return new

    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    cells = [
        cell("markdown", "task", "Halve it."),
        cell("code", "needs", f"import {needs}"),
        cell("code", "halved", SOLUTION),
        cell("code", "halved-test", "assert halved(0.04) == 0.02", points=2),
    ]
    problem_set = folder / "ps0-tiny"
    problem_set.mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, problem_set / "ps0-tiny.ipynb")
    return problem_set


def solutions(notebook: Path) -> dict[str, str]:
    """Return the solutions of a source notebook by grade_id."""
    read = nbformat.read(notebook, as_version=4)
    marked = [(cell, cell.metadata.get("nbgrader", {})) for cell in read.cells]
    return {marks["grade_id"]: cell.source for cell, marks in marked if marks.get("solution")}


def answered(released: dict[str, Any], answers: dict[str, str], student: str) -> dict[str, Any]:
    """Return the fetched notebook with these answers and the student's id."""
    for cell in released["cells"]:
        cell["source"] = cell["source"].replace('STUDENT_ID = ""', f'STUDENT_ID = "{student}"')
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answers[name]
    return released
