"""The roster: who takes the course, and by which names and numbers the platforms know them."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assignments.course.platform_folders import safe_id

FIELDS = ("first_name", "last_name", "email", "lms_user_id")  # columns of `nbgrader db student import`


@dataclass(frozen=True)
class Roster:
    """The students of a course, by id, and what else identifies each of them."""

    students: dict[str, dict[str, str]]  # id -> nbgrader's fields
    by_name: dict[str, set[str]]  # an id, name, address or number -> ids

    def find(self, names: Iterable[str]) -> set[str]:
        """Return the ids of the students that any of `names` identifies."""
        return set().union(*(self.by_name.get(_key(name), set()) for name in names))


def read_roster(path: Path) -> Roster:
    """Read a CSV file whose column `id` has what students type; every column identifies its student.

    `first_name` and `last_name`, or `name`, do so together, in either order. Raises ValueError if the file
    cannot be read, has no column `id`, or has an id twice.
    """
    try:
        with path.expanduser().open(encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"ROSTER: {path} cannot be read as a CSV file in UTF-8: {error}") from error
    reader = csv.DictReader(text.splitlines(), delimiter=";" if ";" in text.partition("\n")[0] else ",")
    if "id" not in (reader.fieldnames or ()):
        raise ValueError(f"ROSTER: {path} must have a column `id`, got {', '.join(reader.fieldnames or ())}")
    students: dict[str, dict[str, str]] = {}
    by_name: dict[str, set[str]] = {}
    for line in reader:
        row = {column: (value or "").strip() for column, value in line.items() if column}
        student = safe_id(row["id"])
        if not row["id"] or student.casefold() in map(str.casefold, students):
            raise ValueError(f"ROSTER: {path} must have one id in each row, got {row['id']!r} twice or empty")
        first, last = row.get("first_name", ""), row.get("last_name", "")
        if not (first or last):
            first, _, last = row.get("name", "").rpartition(" ")
        students[student] = {name: row.get(name, "") for name in FIELDS}
        students[student] |= {"first_name": first, "last_name": last}
        alone = {"first_name", "last_name"}  # many students share one of them
        for name in (student, first + last, last + first, *(row[key] for key in row.keys() - alone)):
            if _key(name):
                by_name.setdefault(_key(name), set()).add(student)
    return Roster(students, by_name)


def _key(name: str) -> str:
    """Return the letters and digits of a name, since each platform drops other characters."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", name).casefold())
