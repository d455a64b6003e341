"""Collects submissions, has nbgrader grade each by itself, and exports the grades with pages of feedback.

    python -m assignments.course.grade SUBMISSIONS [--course FOLDER] [--ps "ps1-tying ps3-variance"]

One student's notebook can take as long or as much as it likes, die, or be no notebook: that student gets a
flag, and everybody else their grade. What it can NOT be kept from here is reading this account's files: run
this where there is nothing to read (book/teach.md).
"""

from __future__ import annotations

import argparse
import fcntl
import io
import json
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assignments.course import ROOT, chosen
from assignments.course.collect_submissions import HandedIn, handed_in
from assignments.course.feedback_pages import give_back
from assignments.course.grade_submission import grade
from assignments.course.gradebook import holds, record_nothing, scores, waiting
from assignments.course.grades_csv import FLAGS
from assignments.course.rebuild_from_release import writable
from assignments.course.register_problem_set import prepare
from assignments.course.run_nbgrader import configure, nbgrader

Flags = defaultdict[str, dict[str, list[str]]]


def main(arguments: list[str]) -> int:
    """Say what is wrong with the arguments, or grade; 0 unless nothing could be graded."""
    options = _options().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold what the terminal has no sign for
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, _end)  # so that what was started is stopped on the way out
    course = options.course.expanduser().resolve()
    options.submissions = options.submissions.expanduser()
    try:
        wanted = chosen(options.ps)
        _apart(options.submissions.resolve(), course)
        files, strange = handed_in(options.submissions)
        with _alone(course):
            return _grade_all(files, strange, wanted, options, course)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


@contextmanager
def _alone(course: Path) -> Iterator[None]:
    """Make the folder of a course, and keep every other `make grade` out of it."""
    try:
        course.mkdir(parents=True, exist_ok=True)
        lock = (course / ".lock").open("w")
    except OSError as error:
        raise ValueError(f"COURSE: {course} cannot be used as a folder: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ValueError(
                f"COURSE: another make grade works on {course}; wait until it is done"
            ) from error
        yield


def _grade_all(
    files: list[HandedIn], strange: list[str], wanted: list[str], options: argparse.Namespace, course: Path
) -> int:
    configure(course)
    for problem_set in wanted:
        prepare(course, problem_set)
    path = course / FLAGS
    flags: Flags = defaultdict(dict, json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})
    for file in files:
        if file.problem_set not in wanted:
            continue
        before = flags[file.problem_set].get(file.student, [])
        try:
            told = grade(course, file, options, before)
        except Exception as error:  # whatever one submission holds, the others are graded
            if not holds(course, file.problem_set, file.student):
                record_nothing(course, file.problem_set, file.student)
            told = [f"not graded: {type(error).__name__}: {str(error)[:200]}"]
        flags[file.problem_set][file.student] = [writable(flag) for flag in dict.fromkeys(told + file.notes)]
        aside = path.with_name(f"{path.name}.part")
        aside.write_text(json.dumps(flags, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        aside.replace(path)
        _say(course, file, flags)
    for place in strange:
        print(f"  not graded: {place}")
    for problem_set in wanted:
        for student in give_back(course, problem_set):
            print(f"  {problem_set}  {student:<20} no page of feedback could be made")
    exported = nbgrader("export", "--to=grades.csv", course=course)
    if exported.returncode:
        print(exported.stdout, file=sys.stderr)
        return 1
    print(f"grades: {course / 'grades.csv'}\nfeedback: {course / 'feedback'}")
    if left := waiting(course):
        print(f"{left} with a written answer that nobody has graded yet: make formgrader, then this again")
    return 0


def _apart(submissions: Path, course: Path) -> None:
    if submissions.is_relative_to(course) or course.is_relative_to(submissions):
        raise ValueError(
            f"SUBMISSIONS, {submissions}, and COURSE, {course}, must not lie in one another, for grading "
            "would write over what it reads; name another COURSE"
        )


def _end(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _say(course: Path, file: HandedIn, flags: Flags) -> None:
    got, of = scores(course, file.problem_set, file.student)
    told = "; ".join(flags[file.problem_set][file.student])
    print(f"  {file.problem_set}  {file.student:<20} {got:g} of {of:g}  {told}".rstrip(), flush=True)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text}")
    return int(text)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grade", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("submissions", type=Path, help="the folder of submissions")
    parser.add_argument("--course", type=Path, default=ROOT / "grading", help="gradebook, copies, feedback")
    parser.add_argument("--ps", default="", help="problem sets, separated by spaces; all if left out")
    parser.add_argument("--cell-seconds", type=_at_least_one, default=30, help="that a cell may run")
    parser.add_argument("--seconds", type=_at_least_one, default=300, help="that a notebook may run")
    parser.add_argument("--gigabytes", type=_at_least_one, default=3, help="that a notebook may ask for")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
