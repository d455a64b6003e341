"""Whose a file is, by its name: that of its first folder, or what a learning platform made of it.

What lies further in has a name that the student chose, and decides nothing: else a file in one student's
folder could pass for another's.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from assignments.course import problem_sets

_MOODLE = re.compile(r".+?_(?P<student>[^_/]+)_assignsubmission_file_")  # a file, or the folder of one
_OF_FILES = [
    re.compile(r"gradebook_.+_(?P<student>[^_/]+)_attempt_(?P<when>[\d-]+)"),  # Blackboard
    re.compile(r"[^_/]+_(?:LATE_|late_)?(?P<student>\d+)_\d+_"),  # Canvas
]


def problem_set_of(place: PurePosixPath) -> str | None:
    """The problem set that a file's name names, if it does."""
    return next((name for name in problem_sets() if name in place.name), None)


def whose(place: PurePosixPath) -> tuple[str, str] | None:
    """Student and time of attempt (or nothing) of a file of submissions; None if its name tells none.

    >>> whose(PurePosixPath("ada/ps1-tying/ps1-tying.ipynb"))
    ('ada', '')
    >>> whose(PurePosixPath("Ada Lovelace_1815_assignsubmission_file_/ps1-tying.ipynb"))
    ('1815', '')
    >>> whose(PurePosixPath("submissions.zip/lovelaceada_LATE_1815_99_ps1-tying-2.ipynb"))
    ('1815', '')
    """
    parts = list(place.parts)
    while parts:
        first, inside = parts[0], len(parts) > 1
        if match := _MOODLE.match(first):
            return plain(match["student"]), ""
        if not inside or first.endswith(".zip"):
            for platform in _OF_FILES:
                if match := platform.match(first):
                    return plain(match["student"]), match.groupdict().get("when") or ""
        if not inside:
            return None
        if not first.endswith(".zip") and first not in problem_sets():
            return plain(first), ""
        parts = parts[1:]  # a platform's archive, or a folder that is named for what was handed in
    return None


def platforms_id(place: PurePosixPath) -> str:
    """The student that the name of the file itself tells of, as a platform would name it; else empty."""
    found = whose(PurePosixPath(place.name))
    return found[0] if found else ""


def plain(student: str) -> str:
    """An id that is safe as the name of a folder and in a table."""
    return re.sub(r"[^\w.@-]+", "-", unicodedata.normalize("NFC", student)).strip(".-") or "nobody"
