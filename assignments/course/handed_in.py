"""Finds whose file is which, in a folder of submissions or in the archive that a learning platform offers."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assignments.course import problem_sets

STAMP = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \w+"
)  # in the timestamp.txt of nbgrader's exchange
LARGEST = 20_000_000  # bytes of one file that somebody hands in; the problem sets have some 50,000

# How platforms name a student's file or folder: what stands for the student in each.
_PLATFORMS = [
    re.compile(r"(?P<name>[^_/]+)_(?P<student>[^_/]+)_assignsubmission_file_"),  # Moodle: name_number_…
    re.compile(r"gradebook_.+?_(?P<student>[^_/]+)_attempt_(?P<when>[\d-]+)"),  # Blackboard
    re.compile(r"(?P<name>[^_/]+)_(?:LATE_|late_)?(?P<student>\d+)_\d+_"),  # Canvas: name_number_number_file
]


@dataclass(frozen=True)
class HandedIn:
    """One file that a student handed in."""

    student: str
    problem_set: str
    place: str  # where it was found, in words
    when: str  # for files of one student: the later one counts
    stamp: str  # when nbgrader's exchange took it, as it wrote that down; else empty
    content: bytes | None  # None if it is larger than anything that was asked for


def handed_in(folder: Path) -> tuple[list[HandedIn], list[str]]:
    """What students handed in, the last of each student's attempts, and the places that nobody was found for.

    `folder` holds `<student>/<problem set>.ipynb` or `<student>/<problem set>/<problem set>.ipynb`, files
    named as Moodle, Canvas or Blackboard name them, or such a platform's zip archives. Raises ValueError if
    there is no such folder or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS must be a folder, and {folder} is none")
    last: dict[tuple[str, str], HandedIn] = {}
    strange = []
    found = sorted(_files(folder), key=lambda file: (file.when, file.place))
    for file in found:
        named = whose(PurePosixPath(file.place))
        if named is None:
            strange.append(file.place)
            continue
        student, problem_set, attempt = named
        before = last.get((student, problem_set))
        kept = HandedIn(student, problem_set, file.place, attempt or file.when, file.stamp, file.content)
        if before is None or _rank(before) <= _rank(kept):
            last[student, problem_set] = kept
    if not found:
        raise ValueError(f"SUBMISSIONS: there is no file in {folder}")
    return sorted(last.values(), key=lambda one: (one.problem_set, one.student)), strange


def whose(place: PurePosixPath) -> tuple[str, str, str] | None:
    """Student, problem set and time of attempt of a file, by its name and those of its folders.

    >>> whose(PurePosixPath("Ada Lovelace_1815_assignsubmission_file_/ps1-tying.ipynb"))
    ('1815', 'ps1-tying', '')
    >>> whose(PurePosixPath("lovelaceada_LATE_1815_99_ps1-tying-2.ipynb"))
    ('1815', 'ps1-tying', '')
    >>> whose(PurePosixPath("ada/ps1-tying/ps1-tying.ipynb"))
    ('ada', 'ps1-tying', '')
    """
    problem_set = next((name for name in problem_sets() if name in place.name), None)
    if problem_set is None:
        return None
    for platform in _PLATFORMS:
        for part in reversed(place.parts):
            if match := platform.match(part):
                return _plain(match["student"]), problem_set, match.groupdict().get("when") or ""
    folders = [part for part in place.parts[:-1] if part != problem_set and not part.endswith(".zip")]
    return (_plain(folders[-1]), problem_set, "") if folders else None


def _rank(file: HandedIn) -> tuple[bool, str]:
    """Which of a student's files counts: a notebook before anything else, then the latest."""
    return file.place.endswith(".ipynb"), file.when


def _plain(student: str) -> str:
    """An id that is safe as the name of a folder and in a table."""
    return re.sub(r"[^\w.@-]+", "-", student).strip(".-") or "nobody"


@dataclass(frozen=True)
class _File:
    place: str
    when: str
    stamp: str
    content: bytes | None


def _files(folder: Path) -> Iterator[_File]:
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if not path.is_file() or path.is_symlink() or _ignored(place):
            continue
        if path.suffix == ".zip" and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    if entry.is_dir() or _ignored(entry.filename):
                        continue
                    when = "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(*entry.date_time)
                    small = entry.file_size <= LARGEST
                    content = _read(archive, entry) if small else None
                    yield _File(f"{place}/{entry.filename}", when, "", content)
        else:
            beside = path.with_name("timestamp.txt")
            stamp = beside.read_text(encoding="utf-8", errors="replace").strip() if beside.is_file() else ""
            stamp = stamp if STAMP.fullmatch(stamp) else ""
            yield _File(place, stamp, stamp, path.read_bytes() if path.stat().st_size <= LARGEST else None)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    with archive.open(entry) as opened:
        content = opened.read(LARGEST + 1)  # whatever the archive says of its size
    return content if len(content) <= LARGEST else None


def _ignored(place: str) -> bool:
    """What platforms, systems and Jupyter put beside a submission."""
    parts = PurePosixPath(place).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts) or parts[-1] == "timestamp.txt"
