"""Writes grades.csv: nbgrader's columns, the points of each task, and the flags to check by hand."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.plugins import ExportPlugin
from traitlets import Float

FLAGS = "flags.json"  # in the folder of the course: problem set -> student -> list of flags


class GradesAndFlags(ExportPlugin):
    """Exports one row for each student and problem set.

    A student without a submission has zero points and no timestamp. A problem set without any submission has
    no rows, because its zeros would end up in the instructor's gradebook. A day late that has begun counts
    as a whole one.
    """

    late_days = Float(0, help="Days late that cost nothing.").tag(config=True)
    late_loss = Float(0, help="Percent of the points that each further day costs.").tag(config=True)

    def export(self, gradebook: Any) -> None:
        """Write the rows to `self.to`, or to grades.csv."""
        path = Path(self.to or "grades.csv")
        flags = json.loads(Path(FLAGS).read_text(encoding="utf-8")) if Path(FLAGS).exists() else {}
        rows = [
            self._row(gradebook, assignment, student, flags.get(assignment.name, {}).get(student.id, []))
            for assignment in sorted(gradebook.assignments, key=lambda one: one.name)
            if gradebook.assignment_submissions(assignment.name)
            for student in sorted(gradebook.students, key=lambda one: one.id)
        ]
        columns = list(dict.fromkeys(column for row in rows for column in row))
        partial = path.with_name(f"{path.name}.part")
        with partial.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            writer = csv.DictWriter(file, columns, restval="")
            writer.writeheader()
            writer.writerows({name: _not_a_formula(value) for name, value in row.items()} for row in rows)
        partial.replace(path)  # readers never see half a file

    def _row(self, gradebook: Any, assignment: Any, student: Any, flags: list[str]) -> dict[str, Any]:
        row = {
            "assignment": assignment.name,
            "student_id": student.id,
            "last_name": student.last_name,
            "first_name": student.first_name,
            "email": student.email,
            "duedate": assignment.duedate,
            "timestamp": None,
            "raw_score": 0.0,
            "days_late": 0,
            "late_submission_penalty": 0.0,
            "score": 0.0,
            "max_score": assignment.max_score,
            "needs_manual_grade": "no",
            "flags": "; ".join(flags),
        }
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return row
        days = math.ceil(submission.total_seconds_late / 86_400)
        penalty = min(1.0, max(0.0, days - self.late_days) * self.late_loss / 100) * submission.score
        row |= {
            "timestamp": submission.timestamp,
            "raw_score": submission.score,
            "days_late": days,
            "late_submission_penalty": penalty,
            "score": submission.score - penalty,
            "needs_manual_grade": "yes" if submission.needs_manual_grade else "no",
        }
        for notebook in submission.notebooks:
            for grade in sorted(notebook.grades, key=lambda one: one.name):
                row[grade.name.removesuffix("-test")] = grade.score
        return row


def _not_a_formula(value: Any) -> Any:
    """Quote text that a spreadsheet would run as a formula: students can type anything as their id."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value
