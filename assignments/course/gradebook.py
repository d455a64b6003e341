"""What is read from nbgrader's gradebook, and what is written into it where nbgrader could not grade."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SAWarning

from assignments.course import PATH


def open_gradebook(course: Path) -> Any:
    """The gradebook of a course, to be used in a `with` statement."""
    os.environ["PATH"] = PATH
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "shared-and-scaled")


def record_nothing(course: Path, problem_set: str, student: str) -> None:
    """Give a submission that cannot be graded zero points, whatever an earlier one had, by hand too."""
    with open_gradebook(course) as book:
        book.update_or_create_student(student)
        with warnings.catch_warnings():  # SQLAlchemy minds the order in which nbgrader makes a submission
            warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)
            submission = book.update_or_create_submission(problem_set, student)
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                grade.auto_score = 0
                grade.manual_score = None
                grade.extra_credit = None
                grade.needs_manual_grade = False
        book.db.commit()
    (course / "received" / student / problem_set / "graded.txt").unlink(missing_ok=True)  # it is no longer so


def holds(course: Path, problem_set: str, student: str | None = None) -> bool:
    """Whether the gradebook knows a problem set, or a student's submission of it."""
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
    """Points that a student has, and the points that there are."""
    with open_gradebook(course) as book:
        try:
            submission = book.find_submission(problem_set, student)
        except MissingEntry:
            return 0.0, float(book.find_assignment(problem_set).max_score)
        return float(submission.score), float(submission.max_score)


def waiting(course: Path) -> int:
    """How many submissions have an answer that somebody must still read and give points to."""
    with open_gradebook(course) as book:
        return sum(
            bool(submission.needs_manual_grade)
            for assignment in book.assignments
            for submission in book.assignment_submissions(assignment.name)
        )


def marks(course: Path, problem_set: str) -> dict[str, str]:
    """All points and comments of each student, as a text that changes when one of them does."""
    with open_gradebook(course) as book:
        return {
            submission.student.id: "\n".join(
                sorted(f"{grade.name} {grade.score} {grade.extra_credit}" for grade in notebook.grades)
                + sorted(f"{comment.name} {comment.comment}" for comment in notebook.comments)
            )
            for submission in book.assignment_submissions(problem_set)
            for notebook in submission.notebooks
        }
