"""Makes pages of feedback, and makes them again when points or comments have changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from assignments.course.gradebook import marks
from assignments.course.run_nbgrader import run_nbgrader


def make_feedback_pages(course: Path, problem_set: str) -> list[str]:
    """Make the pages that are missing or out of date; return the students whose page could not be made.

    One command makes all pages, because nbgrader takes longer to start than to write one.
    """
    graded = {path.parts[-3] for path in (course / "autograded").glob(f"*/{problem_set}/{problem_set}.ipynb")}
    current = {student: text for student, text in marks(course, problem_set).items() if student in graded}
    missing = set()
    for student, text in current.items():
        page, record = _page_and_record(course, problem_set, student)
        if not (page.exists() and record.exists() and record.read_text(encoding="utf-8") == text):
            shutil.rmtree(page.parent, ignore_errors=True)  # nbgrader does not replace an existing page
            missing.add(student)
    if missing:
        run_nbgrader("generate_feedback", problem_set, course=course)
    for student in sorted(missing):
        page, record = _page_and_record(course, problem_set, student)
        if page.exists():
            record.write_text(current[student], encoding="utf-8")
            missing.remove(student)
    return sorted(missing)


def _page_and_record(course: Path, problem_set: str, student: str) -> tuple[Path, Path]:
    """Return the paths of a student's page and of the marks that it was made from."""
    page = course / "feedback" / student / problem_set / f"{problem_set}.html"
    return page, course / "received" / student / problem_set / "feedback_marks.txt"
