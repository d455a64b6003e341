"""Pages of feedback: for all who were graded, and anew for whom points or comments have changed since."""

from __future__ import annotations

import shutil
from pathlib import Path

from assignments.course.gradebook import marks
from assignments.course.run_nbgrader import nbgrader


def give_back(course: Path, problem_set: str) -> list[str]:
    """Make the pages that are missing or tell of other marks; return who could be given none.

    One command makes all of them, for nbgrader takes longer to start than to write a page.
    """
    graded = {path.parts[-3] for path in (course / "autograded").glob(f"*/{problem_set}/{problem_set}.ipynb")}
    given = {student: told for student, told in marks(course, problem_set).items() if student in graded}
    missing = set()
    for student, told in given.items():
        folder = course / "feedback" / student / problem_set
        if not (folder / f"{problem_set}.html").exists() or _said(course, problem_set, student) != told:
            shutil.rmtree(folder, ignore_errors=True)  # nbgrader leaves alone what is there
            missing.add(student)
    if missing:
        nbgrader("generate_feedback", problem_set, course=course)
    for student in sorted(missing):
        if (course / "feedback" / student / problem_set / f"{problem_set}.html").exists():
            _record(course, problem_set, student).write_text(given[student], encoding="utf-8")
            missing.remove(student)
    return sorted(missing)


def _said(course: Path, problem_set: str, student: str) -> str:
    record = _record(course, problem_set, student)
    return record.read_text(encoding="utf-8") if record.exists() else ""


def _record(course: Path, problem_set: str, student: str) -> Path:
    return course / "received" / student / problem_set / "given_back.txt"
