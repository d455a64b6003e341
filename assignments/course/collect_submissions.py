"""Collects submissions from a folder and the zip archives in it, and keeps the latest of each student."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from assignments.course import problem_sets
from assignments.course.platform_folders import problem_set_of, student_and_time, student_in_file_name
from assignments.course.platform_zip import MAX_FILE_BYTES, FoundFile, is_ignored, printable, read_zip

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? \w+")  # as nbgrader's exchange writes it


@dataclass(frozen=True)
class Submission:
    """The file that counts for a student and a problem set."""

    student: str
    problem_set: str
    path: str  # relative to the folder of submissions
    timestamp: str  # written by nbgrader's exchange; empty if it did not collect the file
    content: bytes | None  # None if the file is too large
    notes: list[str]  # what the instructor should check


def collect(folder: Path) -> tuple[list[Submission], list[str]]:
    """Return the submissions that count, and a line for everything that belongs to nobody.

    `folder` has `<student>/<problem set>.ipynb` or `<student>/<problem set>/<problem set>.ipynb`, files
    named by Moodle, Canvas or Blackboard, or the zip archives of these platforms. Raises ValueError if it is
    not a folder or has no files.
    """
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS must be a folder; {folder} is not one")
    found: dict[tuple[str, str], list[FoundFile]] = defaultdict(list)
    rejected: list[str] = []
    for file in _files(folder):
        path = PurePosixPath(file.path)
        name, owner = problem_set_of(path), student_and_time(path)
        if file.fault:
            rejected.append(f"{file.path}: {file.fault}")
        elif name is None or owner is None:
            rejected.append(f"{file.path}: its path does not name both a student and a problem set")
        else:
            student, attempt = owner
            time = attempt or file.timestamp or file.time
            found[student, name].append(FoundFile(file.path, time, file.timestamp, file.content))
    empty: dict[tuple[str, str], FoundFile] = {}
    for place, name in _empty_folders(folder):
        if owner := student_and_time(PurePosixPath(place, "file")):
            for one in [name] if name else sorted({name for _, name in found}):
                empty.setdefault((owner[0], one), FoundFile(place, "", "", b""))
            if not name and not found:
                rejected.append(f"{place}: an empty folder")
    found |= {key: [file] for key, file in empty.items() if key not in found}
    if not found and not rejected:
        raise ValueError(f"SUBMISSIONS: {folder} has no files")
    submissions = []
    spellings = defaultdict(set)
    for student, _ in found:
        spellings[student.casefold()].add(student)
    for (student, name), files in sorted(found.items(), key=lambda one: one[0][::-1]):
        # Some disks keep such ids in one folder, and they always have the same seed.
        if len(same := spellings[student.casefold()]) > 1:
            ids = ", ".join(sorted(same))
            rejected.append(f"{student}: {name}: ids that differ only by case: {ids}")
            continue
        notebooks = [file for file in files if file.path.endswith(".ipynb")] or files
        named = {student_in_file_name(PurePosixPath(file.path)) for file in notebooks} - {""}
        if len(named) > 1 and student not in named:  # an unpacked archive of a platform
            rejected.append(
                f"{student}: {name} by several students, {', '.join(sorted(named))}; if this is a folder "
                "of students, set SUBMISSIONS to it"
            )
            continue
        folders = {str(PurePosixPath(file.path).parent) for file in notebooks}
        if len(folders) > 1:
            rejected.append(f"{student}: {name} is in several folders: {', '.join(sorted(folders))}")
            continue
        latest = max(notebooks, key=lambda file: (file.time, file.path))
        several = f"{len(notebooks)} files, the latest counts: {PurePosixPath(latest.path).name}"
        notes = [several] if len(notebooks) > 1 else []
        submissions.append(Submission(student, name, latest.path, latest.timestamp, latest.content, notes))
    return submissions, rejected


def _entries(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        name = printable(path.relative_to(folder).as_posix())
        if not path.is_symlink() and not is_ignored(name):
            yield path, name


def _files(folder: Path) -> Iterator[FoundFile]:
    for path, name in _entries(folder):
        if not path.is_file():
            continue
        try:
            if path.suffix == ".zip":
                yield from read_zip(path, name)
            else:
                yield _read_file(path, name)
        except Exception as error:  # a damaged archive can raise almost any error
            yield FoundFile(name, "", "", None, f"cannot be read: {error}")


def _empty_folders(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the folders without a submission, each with the problem set that it names, or ""."""
    for path, name in _entries(folder):
        if path.is_dir() and all(is_ignored(inside.name) for inside in path.iterdir()):
            yield name, next((part for part in PurePosixPath(name).parts if part in problem_sets()), "")


def _read_file(path: Path, name: str) -> FoundFile:
    record = path.with_name("timestamp.txt")
    timestamp = record.read_text(encoding="utf-8", errors="replace").strip() if record.is_file() else ""
    status = path.stat()
    time = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(" ")
    content = path.read_bytes() if status.st_size <= MAX_FILE_BYTES else None
    return FoundFile(name, time, timestamp if TIMESTAMP.fullmatch(timestamp) else "", content)
