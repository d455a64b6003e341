"""Reads nbgrader's gradebook, and records zero points for what nbgrader could not grade."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SAWarning

from assignments.course import PATH


def open_gradebook(course: Path) -> Any:
    """Return the gradebook of a course, for use in a `with` statement."""
    os.environ["PATH"] = PATH
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "shared-and-scaled")


def add_students(course: Path, students: dict[str, dict[str, str]]) -> None:
    """Add the students of a roster, or update their names and addresses."""
    with open_gradebook(course) as book:
        for student, fields in students.items():
            book.update_or_create_student(student, **fields)


def record_zero(course: Path, problem_set: str, student: str) -> None:
    """Give zero points to a submission that cannot be graded; manual points are removed as well."""
    with open_gradebook(course) as book:
        book.update_or_create_student(student)
        with warnings.catch_warnings():  # SQLAlchemy objects to the order in which nbgrader adds rows
            warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)
            submission = book.update_or_create_submission(problem_set, student)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                grade.auto_score = 0
                grade.manual_score = None
                grade.extra_credit = None
                grade.needs_manual_grade = False
        book.db.commit()
    (course / "received" / student / problem_set / "graded.txt").unlink(missing_ok=True)


def is_registered(course: Path, problem_set: str, student: str | None = None) -> bool:
    """Return whether the gradebook has a problem set, or a student's submission of it."""
    if not (course / "gradebook.db").exists():
        return False
    with open_gradebook(course) as book:
        try:
            book.find_assignment(problem_set)
            if student is not None:
                book.find_submission(problem_set, student)
        except MissingEntry:
            return False
    return True


def scores(course: Path, problem_set: str, student: str) -> tuple[float, float]:
    """Return the points of a student and the maximum."""
    with open_gradebook(course) as book:
        try:
            submission = book.find_submission(problem_set, student)
        except MissingEntry:
            return 0.0, float(book.find_assignment(problem_set).max_score)
        return float(submission.score), float(submission.max_score)


def count_ungraded(course: Path) -> int:
    """Return how many submissions have an answer that must be graded by hand and has no points yet."""
    with open_gradebook(course) as book:
        return sum(
            bool(submission.needs_manual_grade)
            for assignment in book.assignments
            for submission in book.assignment_submissions(assignment.name)
        )


def marks(course: Path, problem_set: str) -> dict[str, str]:
    """Return the points and comments of each student as a text, to detect changes."""
    with open_gradebook(course) as book:
        return {
            submission.student.id: "\n".join(
                sorted(f"{grade.name} {grade.score} {grade.extra_credit}" for grade in notebook.grades)
                + sorted(f"{comment.name} {comment.comment}" for comment in notebook.comments)
            )
            for submission in book.assignment_submissions(problem_set)
            for notebook in submission.notebooks
        }
