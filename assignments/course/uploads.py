"""Writes what goes back to a learning platform: the grades in its format, and the pages of feedback in a zip.

Sources: Moodle's "Grade import", Canvas's "How do I import grades in the Gradebook?", and Blackboard's
"Uploading or downloading Grade Center items for working offline". Blackboard's file was not tried.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from assignments.course.collect_submissions import Submission
from assignments.course.gradebook import open_gradebook

Scores = dict[tuple[str, str], str]  # (student, problem set) -> points


def write_uploads(course: Path) -> None:
    """Write upload/moodle.csv, canvas.csv and blackboard.csv from grades.csv: one row for each student."""
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    scores = {(row["student_id"].removeprefix("'"), row["assignment"]): row["score"] for row in rows}
    problem_sets = list(dict.fromkeys(row["assignment"] for row in rows))
    tables: dict[str, list[dict[str, str]]] = {"moodle": [], "canvas": [], "blackboard": []}
    with open_gradebook(course) as book:
        for one in sorted(book.students, key=lambda student: str(student.id)):
            points = {name: scores.get((one.id, name), "") for name in problem_sets}
            first, last = one.first_name or "", one.last_name or ""
            names = {"First name": first, "Last name": last}
            tables["moodle"].append(
                {"ID number": one.id, "Email address": one.email or "", **names, **points}
            )
            ids = {"ID": one.lms_user_id or "", "SIS User ID": "", "SIS Login ID": one.id, "Section": ""}
            tables["canvas"].append({"Student": f"{last}, {first}", **ids, **points})
            tables["blackboard"].append(
                {"Last Name": last, "First Name": first, "Username": one.id, **points}
            )
    (course / "upload").mkdir(exist_ok=True)
    for platform, lines in tables.items():
        with (course / "upload" / f"{platform}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, lines[0] if lines else [], quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(lines)


def zip_feedback(course: Path, submissions: Iterable[Submission]) -> None:
    """Write feedback.zip, in which each page has the place and the name of the file that it is about."""
    with zipfile.ZipFile(course / "feedback.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for one in submissions:
            page = course / "feedback" / one.student / one.problem_set / f"{one.problem_set}.html"
            if page.exists():
                parts = [part for part in PurePosixPath(one.path).parts if not part.endswith(".zip")]
                archive.write(page, str(PurePosixPath(*parts).with_suffix(".html")))
