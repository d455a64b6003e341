"""Collects submissions from a folder and the zip archives in it, and keeps the latest of each student."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from dateutil import tz  # type: ignore[import-untyped]

from assignments.course import problem_sets
from assignments.course.platform_folders import Owner, owner_of, problem_set_of, safe_id
from assignments.course.platform_zip import MAX_FILE_BYTES, FoundFile, is_ignored, printable, read_zip
from assignments.course.rebuild_from_release import NotANotebookError, read_notebook, student_ids
from assignments.course.roster import Roster


@dataclass(frozen=True)
class Submission:
    """The file that counts for a student and a problem set."""

    student: str
    problem_set: str
    path: str  # relative to the folder of submissions
    timestamp: str  # written by nbgrader's exchange; empty if it did not collect the file
    content: bytes | None  # None if the file is too large
    notes: list[str]  # what the instructor should check


def collect(folder: Path, roster: Roster | None = None) -> tuple[list[Submission], list[str]]:
    """Return the submissions that count, and a line for everything that belongs to nobody, or to several.

    `folder` has `<student>/<problem set>.ipynb` or `<student>/<problem set>/<problem set>.ipynb`, files
    named by Moodle, Canvas or Blackboard, or the zip archives of these platforms. Raises ValueError if it is
    not a folder or has no files.
    """
    if not folder.is_dir():
        raise ValueError(f"SUBMISSIONS must be a folder; {folder} is not one")
    found: dict[tuple[str, str], list[_Claim]] = defaultdict(list)
    rejected: list[str] = []
    for file in _files(folder):
        path = PurePosixPath(file.path)
        name, owner = problem_set_of(path), owner_of(path)
        if file.fault:
            rejected.append(f"{file.path}: {file.fault}")
        elif name is None or owner is None:
            rejected.append(f"{file.path}: its path does not name both a student and a problem set")
        else:
            claim = _identify(file, owner, roster)
            if claim.student:
                found[name, claim.student.casefold()].append(claim)
            else:
                rejected.append(f"{file.path}: {claim.note}")
    for claim, name in _empty_folders(folder, roster):
        for one in [name] if name else sorted({name for name, _ in found}):
            found.setdefault((one, claim.student.casefold()), [claim])
        if not name and not found:
            rejected.append(f"{claim.file.path}: an empty folder")
    if not found and not rejected:
        raise ValueError(f"SUBMISSIONS: {folder} has no files")
    submissions = []
    for (name, _), claims in sorted(found.items()):
        one_students = [claim for claim in claims if claim.file.path.endswith(".ipynb")] or claims
        if reason := _conflict(name, one_students):
            rejected.append(reason)
        else:
            submissions.append(_latest(name, one_students))
    return submissions, rejected


@dataclass(frozen=True)
class _Claim:
    """A file, and the student that it was assigned to; no student if `note` says why."""

    file: FoundFile
    owner: Owner
    student: str
    note: str = ""

    @property
    def time(self) -> str:
        return self.owner.time or in_utc(self.file.timestamp) or self.file.time


def _identify(file: FoundFile, owner: Owner, roster: Roster | None) -> _Claim:
    """Determine whose file this is, from its path, from the roster, and from the `STUDENT_ID` typed in it."""
    try:
        typed = (student_ids(read_notebook(file.content or b"")) or [""])[0]
    except NotANotebookError:
        typed = ""
    if roster is None:
        if not owner.student:
            return _Claim(file, owner, "", "the name is anonymous: set ROSTER, and STUDENT_ID identifies it")
        return _Claim(file, owner, safe_id(typed) if typed in owner.names else owner.student)
    by_path, by_id = roster.find(owner.names), roster.find([typed])
    if len(by_path) != 1:
        by_path = by_path & by_id if by_path else set()
    if by_path:
        return _Claim(file, owner, next(iter(by_path)))
    if len(by_id) == 1 and not roster.find(owner.names):
        return _Claim(file, owner, next(iter(by_id)), f"assigned by STUDENT_ID alone: {owner.place}")
    names = " or ".join(dict.fromkeys(owner.names))
    return _Claim(file, owner, "", f"{names} is not one student of ROSTER, and STUDENT_ID is {typed!r}")


def _conflict(name: str, claims: list[_Claim]) -> str:
    """Return why the files cannot belong to one student; empty if they can."""
    student = claims[0].student
    if len(spellings := {claim.student for claim in claims}) > 1:
        # Some disks keep such ids in one folder, and they always have the same seed.
        return f"{student}: {name}: ids that differ only by case: {', '.join(sorted(spellings))}"
    if len(places := {claim.owner.place for claim in claims}) > 1:
        return f"{student}: {name} is in several places: {', '.join(sorted(places))}"
    names = [owner_of(PurePosixPath(PurePosixPath(claim.file.path).name)) for claim in claims]
    if len(owners := {owner.place for owner in names if owner}) > 1:  # an unpacked archive of a platform
        return (
            f"{student}: {name} by several students, {', '.join(sorted(owners))}; if this is a folder of "
            "students, set SUBMISSIONS to it"
        )
    return ""


def _latest(name: str, claims: list[_Claim]) -> Submission:
    last = max(claims, key=lambda claim: (claim.time, claim.file.path))
    several = f"{len(claims)} files, the latest counts: {PurePosixPath(last.file.path).name}"
    notes = [several] if len(claims) > 1 else []
    notes += [last.note] if last.note else []
    notes += ["late, as the platform says"] if last.owner.late else []
    timestamp = in_utc(last.file.timestamp)
    if last.file.timestamp and not timestamp:
        notes.append(f"timestamp.txt is not a time: {last.file.timestamp[:40]!r}")
    return Submission(last.student, name, last.file.path, timestamp, last.file.content, notes)


def in_utc(timestamp: str) -> str:
    """Return a time that nbgrader's exchange has written, in UTC; empty if it is none.

    >>> in_utc("2027-03-01 18:00:00.000001 UTC"), in_utc("2027-03-01 18:00:00 America/Los_Angeles")
    ('2027-03-01 18:00:00.000001 UTC', '2027-03-02 02:00:00 UTC')
    >>> in_utc("2027-03-01 18:00:00 -03"), in_utc("yesterday")
    ('2027-03-01 21:00:00 UTC', '')
    """
    moment, _, zone = timestamp.rpartition(" ")
    try:
        if zone[:1] in tuple("+-"):
            time = datetime.fromisoformat(moment + zone)
        elif (place := tz.gettz(zone)) is None:
            return ""
        else:
            time = datetime.fromisoformat(moment).replace(tzinfo=place)
    except ValueError:
        return ""
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(" ") + " UTC"


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


def _empty_folders(folder: Path, roster: Roster | None) -> Iterator[tuple[_Claim, str]]:
    """Yield the folders without a submission, each with the problem set that it names, or ""."""
    for path, name in _entries(folder):
        if path.is_dir() and all(is_ignored(inside.name) for inside in path.iterdir()):
            owner, file = owner_of(PurePosixPath(name, "file")), FoundFile(name, "", "", b"")
            if owner and (claim := _identify(file, owner, roster)).student:
                yield claim, next((part for part in PurePosixPath(name).parts if part in problem_sets()), "")


def _read_file(path: Path, name: str) -> FoundFile:
    record = path.with_name("timestamp.txt")
    timestamp = record.read_text(encoding="utf-8", errors="replace").strip() if record.is_file() else ""
    status = path.stat()
    time = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(" ")
    content = path.read_bytes() if status.st_size <= MAX_FILE_BYTES else None
    return FoundFile(name, time, timestamp, content)
