"""Finds the student that a submitted file belongs to, from folder names or a learning platform's file names.

Only the outermost name counts. Students choose the names further inside, so those could pass a file in one
student's folder for another's.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from assignments.course import problem_sets

_MOODLE = re.compile(r".+?_(?P<student>[^_/]+)_assignsubmission_file_")  # the name of a file or of its folder
_FILE_NAMES = [
    re.compile(r"gradebook_.+_(?P<student>[^_/]+)_attempt_(?P<time>[\d-]+)"),  # Blackboard
    re.compile(r"[^_/]+_(?:LATE_|late_)?(?P<student>\d+)_\d+_"),  # Canvas
]


def problem_set_of(path: PurePosixPath) -> str | None:
    """Return the problem set that a file is named after, or None."""
    return next((name for name in problem_sets() if name in path.name), None)


def student_and_time(path: PurePosixPath) -> tuple[str, str] | None:
    """Return the student and the time of the attempt (or ""); None if the path names no student.

    >>> student_and_time(PurePosixPath("ada/ps1-tying/ps1-tying.ipynb"))
    ('ada', '')
    >>> student_and_time(PurePosixPath("Ada Lovelace_1815_assignsubmission_file_/ps1-tying.ipynb"))
    ('1815', '')
    >>> student_and_time(PurePosixPath("submissions.zip/lovelaceada_LATE_1815_99_ps1-tying-2.ipynb"))
    ('1815', '')
    """
    parts = list(path.parts)
    while parts:
        first, is_folder = parts[0], len(parts) > 1
        if match := _MOODLE.match(first):
            return safe_id(match["student"]), ""
        if not is_folder or first.endswith(".zip"):
            for pattern in _FILE_NAMES:
                if match := pattern.match(first):
                    return safe_id(match["student"]), match.groupdict().get("time") or ""
        if not is_folder:
            return None
        if not first.endswith(".zip") and first not in problem_sets():
            return safe_id(first), ""
        parts = parts[1:]  # skip a platform's archive, or a folder named after a problem set
    return None


def student_in_file_name(path: PurePosixPath) -> str:
    """Return the student that a platform wrote into the file's own name; empty if there is none."""
    found = student_and_time(PurePosixPath(path.name))
    return found[0] if found else ""


def safe_id(student: str) -> str:
    """Return the id in a form that is safe as a folder name and in a table."""
    return re.sub(r"[^\w.@-]+", "-", unicodedata.normalize("NFC", student)).strip(".-") or "nobody"
