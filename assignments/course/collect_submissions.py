"""What students handed in: read from a folder, and from the archives in it; of each student the last."""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from assignments.course import problem_sets
from assignments.course.platform_folders import platforms_id, problem_set_of, whose

STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \w+")  # as nbgrader's exchange writes it
LARGEST = 20_000_000  # bytes of one file that somebody hands in; the problem sets have some 50,000
TOGETHER = 1_000_000_000  # bytes that are read from one archive


@dataclass(frozen=True)
class HandedIn:
    """One file that a student handed in."""

    student: str
    problem_set: str
    place: str  # where it was found, in words
    stamp: str  # when nbgrader's exchange took it, as it wrote that down; else empty
    content: bytes | None  # None if it is larger than anything that was asked for
    notes: list[str]  # what somebody should look at


def handed_in(folder: Path) -> tuple[list[HandedIn], list[str]]:
    """What counts for each student, and in words what was found that counts for nobody.

    `folder` holds `<student>/<problem set>.ipynb` or `<student>/<problem set>/<problem set>.ipynb`, files
    named as Moodle, Canvas or Blackboard name them, or such a platform's zip archives. Raises ValueError if
    there is no such folder or nothing in it.
    """
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS must be a folder, and {folder} is none")
    of: dict[tuple[str, str], list[_File]] = defaultdict(list)
    strange: list[str] = []
    nothing: dict[tuple[str, str], _File] = {}
    for file in _files(folder):
        place = PurePosixPath(file.place)
        name, owner = problem_set_of(place), whose(place)
        if file.fault:
            strange.append(f"{file.place}: {file.fault}")
        elif name is None or owner is None:
            strange.append(f"{file.place}: its name tells of no student or no problem set")
        else:
            student, attempt = owner
            when = attempt or file.stamp or file.when
            of[student, name].append(_File(file.place, when, file.stamp, file.content))
    for empty, name in _empty(folder):
        if owner := whose(PurePosixPath(empty, "nothing")):
            for one in [name] if name else sorted({name for _, name in of}):
                nothing.setdefault((owner[0], one), _File(empty, "", "", b""))
            if not name and not of:
                strange.append(f"{empty}: an empty folder")
    of |= {key: [file] for key, file in nothing.items() if key not in of}
    if not of and not strange:
        raise ValueError(f"SUBMISSIONS: there is no file in {folder}")
    counting = []
    spelled = defaultdict(set)
    for student, _ in of:
        spelled[student.casefold()].add(student)
    for (student, name), files in sorted(of.items(), key=lambda one: one[0][::-1]):
        if len(alike := spelled[student.casefold()]) > 1:  # one folder, on some disks; one seed, anywhere
            strange.append(f"{student}: {name}: ids that differ by case only: {', '.join(sorted(alike))}")
            continue
        notebooks = [file for file in files if file.place.endswith(".ipynb")] or files
        named = {platforms_id(PurePosixPath(file.place)) for file in notebooks} - {""}
        if len(named) > 1 and student not in named:  # an archive of a platform that somebody unpacked
            strange.append(
                f"{student}: {name} by several students, {', '.join(sorted(named))}: is this a folder "
                "of students? Then SUBMISSIONS is that folder"
            )
            continue
        folders = {str(PurePosixPath(file.place).parent) for file in notebooks}
        if len(folders) > 1:
            strange.append(f"{student}: {name} lies in several folders: {', '.join(sorted(folders))}")
            continue
        last = max(notebooks, key=lambda file: (file.when, file.place))
        several = f"{len(notebooks)} files, the last counts: {PurePosixPath(last.place).name}"
        notes = [several] if len(notebooks) > 1 else []
        counting.append(HandedIn(student, name, last.place, last.stamp, last.content, notes))
    return counting, strange


@dataclass(frozen=True)
class _File:
    place: str
    when: str  # for files of one student: the later one counts
    stamp: str
    content: bytes | None
    fault: str = ""


def _files(folder: Path) -> Iterator[_File]:
    for path in sorted(folder.rglob("*")):
        place = _readable(path.relative_to(folder).as_posix())
        if path.is_symlink() or not path.is_file() or _ignored(place):
            continue
        try:
            if path.suffix == ".zip":
                yield from _in_archive(path, place)
            else:
                yield _on_disk(path, place)
        except Exception as error:  # a damaged archive raises nearly any; the others are graded
            yield _File(place, "", "", None, f"cannot be read: {error}")


def _empty(folder: Path) -> Iterator[tuple[str, str]]:
    """Folders in which somebody should have put something, and what each is for, if that is said."""
    for path in sorted(folder.rglob("*")):
        place = _readable(path.relative_to(folder).as_posix())
        if path.is_symlink() or not path.is_dir() or _ignored(place):
            continue
        if all(_ignored(inside.name) for inside in path.iterdir()):
            yield place, next((part for part in PurePosixPath(place).parts if part in problem_sets()), "")


def _on_disk(path: Path, place: str) -> _File:
    beside = path.with_name("timestamp.txt")
    stamp = beside.read_text(encoding="utf-8", errors="replace").strip() if beside.is_file() else ""
    about = path.stat()
    when = datetime.fromtimestamp(about.st_mtime, UTC).isoformat(" ")
    content = path.read_bytes() if about.st_size <= LARGEST else None
    return _File(place, when, stamp if STAMP.fullmatch(stamp) else "", content)


def _in_archive(path: Path, place: str) -> Iterator[_File]:
    with zipfile.ZipFile(path) as archive:
        entries = [one for one in archive.infolist() if not one.is_dir() and not _ignored(one.filename)]
        wanted = [one for one in entries if problem_set_of(PurePosixPath(one.filename))]
        if sum(min(one.file_size, LARGEST) for one in wanted) > TOGETHER:
            yield _File(place, "", "", None, f"its files hold more than {TOGETHER:,} bytes together")
            return
        for entry in entries:
            when = "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(*entry.date_time)
            content = None
            if problem_set_of(PurePosixPath(entry.filename)):  # nothing else is worth its memory
                with archive.open(entry) as opened:
                    content = opened.read(LARGEST + 1)  # whatever the archive says of its size
            large = content is None or len(content) > LARGEST
            yield _File(f"{place}/{_readable(entry.filename)}", when, "", None if large else content)


def _readable(name: str) -> str:
    """A name in which what is no text stands as a question mark, so that it can be written."""
    return name.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def _ignored(place: str) -> bool:
    """What platforms, systems and Jupyter put beside a submission."""
    parts = PurePosixPath(place).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts) or parts[-1] == "timestamp.txt"
