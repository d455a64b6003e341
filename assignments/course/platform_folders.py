"""Finds out whose file a submission is, from folder names or a learning platform's file names.

Only the outermost name counts. Students choose the names further inside, so those could pass a file in one
student's folder for another's. The formats are those of `mod/assign/classes/downloader.php` in Moodle,
`lib/content_zipper.rb` in Canvas, and Blackboard's assignment file download.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePosixPath

from assignments.course import problem_sets

# The folder of a student, or the start of a file's name. Moodle replaces _ in a person's name. The number
# belongs to the assignment, not to the student.
_MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assignsubmission_file(?:_|$)")
_CANVAS = re.compile(r"(?P<name>\w+?)_(?P<late>LATE_)?(?P<user>\d+)_\d+_", re.IGNORECASE)
_CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?anon_(?P<number>[^\W_]+)_(?:LATE_)?\d+_", re.IGNORECASE)
# Everything between is the course, the assignment and the user name, each of which may contain _.
_BLACKBOARD = re.compile(r"gradebook_(?P<middle>.+)_attempt_(?P<time>[\d-]+)_")


@dataclass(frozen=True)
class Owner:
    """What a path says about the student whose file it is."""

    place: str  # the part of the path that belongs to one student alone
    names: tuple[str, ...]  # any of them may be in the roster
    student: str  # the id if there is no roster; empty if the name is anonymous
    time: str = ""  # of the attempt
    late: bool = False


def problem_set_of(path: PurePosixPath) -> str | None:
    """Return the problem set that a file is named after, or None."""
    return next((name for name in problem_sets() if name in path.name), None)


def owner_of(path: PurePosixPath) -> Owner | None:
    """Return what the path says about its student; None if it names nobody.

    >>> owner_of(PurePosixPath("ada/ps1-tying/ps1-tying.ipynb")).student
    'ada'
    >>> owner_of(PurePosixPath("Ada Lovelace_880123_assignsubmission_file/ps1-tying.ipynb")).names
    ('Ada Lovelace', '880123')
    >>> owner_of(PurePosixPath("submissions.zip/lovelaceada_LATE_1815_99_ps1-tying-2.ipynb")).student
    '1815'
    """
    parts = list(path.parts)
    while parts:
        first, is_folder = parts[0], len(parts) > 1
        if found := _from_platform(first, is_folder and not first.endswith(".zip")):
            return found
        if not is_folder:
            return None
        if not first.endswith(".zip") and first not in problem_sets():
            return Owner(str(path.parent), (first,), safe_id(first))
        parts = parts[1:]  # skip a platform's archive, or a folder named after a problem set
    return None


def _from_platform(name: str, is_folder: bool) -> Owner | None:
    if match := _MOODLE.match(name):
        return Owner(match[0].rstrip("_"), (match["name"], match["number"]), safe_id(match["name"]))
    if is_folder:
        return None
    if match := _BLACKBOARD.match(name):
        words = match["middle"].split("_")
        names = ["_".join(words[start:]) for start in range(len(words))]
        return Owner(match["middle"], tuple(names), safe_id(words[-1]), match["time"])
    if match := _CANVAS_ANONYMOUS.match(name):
        late = "late_" in match[0].casefold()
        return Owner(f"anon_{match['number']}", (f"anon_{match['number']}",), "", late=late)
    if match := _CANVAS.match(name):
        return Owner(
            f"{match['name']}_{match['user']}",
            (match["user"], match["name"]),
            safe_id(match["user"]),
            late=bool(match["late"]),
        )
    return None


def safe_id(student: str) -> str:
    """Return the id in a form that is safe as a folder name and in a table."""
    return re.sub(r"[^\w.@-]+", "-", unicodedata.normalize("NFC", student)).strip(".-") or "nobody"
