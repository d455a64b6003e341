"""Collects submissions, has nbgrader grade each one separately, and exports grades and pages of feedback.

    python -m assignments.course.grade SUBMISSIONS [--course FOLDER] [--ps "ps1-tying ps3-variance"]
        [--roster FILE] [--late-days DAYS] [--late-loss PERCENT]

A notebook may run too long, use too much memory, crash its kernel or not be a notebook: its student gets a
flag, and everybody else is graded. A notebook can read every file that this account can read, so run this
where there is nothing to read (see book/teach.md).
"""

from __future__ import annotations

import argparse
import fcntl
import io
import json
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assignments.course import ROOT, select_problem_sets
from assignments.course.collect_submissions import Submission, collect
from assignments.course.feedback_pages import make_feedback_pages
from assignments.course.grade_submission import grade
from assignments.course.gradebook import add_students, count_ungraded, is_registered, record_zero, scores
from assignments.course.grades_csv import FLAGS
from assignments.course.rebuild_from_release import writable
from assignments.course.register_problem_set import register
from assignments.course.roster import read_roster
from assignments.course.run_nbgrader import run_nbgrader, write_config
from assignments.course.uploads import write_uploads, zip_feedback

Flags = defaultdict[str, dict[str, list[str]]]


def main(arguments: list[str]) -> int:
    """Grade the submissions; return 0, 1 if the grades could not be exported, or 2 for a wrong argument."""
    options = _options().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # the terminal may lack a character of a name
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, _exit)  # an exception, so that child processes are stopped
    options.course = options.course.expanduser().resolve()
    options.submissions = options.submissions.expanduser()
    try:
        selected = select_problem_sets(options.ps)
        _refuse_nested(options.submissions.resolve(), options.course)
        roster = read_roster(Path(options.roster)) if options.roster else None
        submissions, rejected = collect(options.submissions, roster)
        with _locked(options.course):
            if roster:
                add_students(options.course, roster.students)
            return _grade_all(submissions, rejected, selected, options)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2


@contextmanager
def _locked(course: Path) -> Iterator[None]:
    """Make the folder of a course and lock it against every other `make grade`."""
    try:
        course.mkdir(parents=True, exist_ok=True)
        lock = (course / ".lock").open("w")
    except OSError as error:
        raise ValueError(f"COURSE: {course} cannot be used as a folder: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ValueError(f"COURSE: another make grade is using {course}; wait until it ends") from error
        yield


def _grade_all(
    submissions: list[Submission], rejected: list[str], selected: list[str], options: argparse.Namespace
) -> int:
    course = options.course
    write_config(course)
    for problem_set in selected:
        register(course, problem_set)
    path = course / FLAGS
    flags: Flags = defaultdict(dict, json.loads(path.read_text(encoding="utf-8")) if path.exists() else {})
    for one in submissions:
        if one.problem_set not in selected:
            continue
        previous = flags[one.problem_set].get(one.student, [])
        try:
            new = grade(course, one, options, previous)
        except Exception as error:  # one submission must not stop the others
            if not is_registered(course, one.problem_set, one.student):
                record_zero(course, one.problem_set, one.student)
            new = [f"not graded: {type(error).__name__}: {str(error)[:200]}"]
        flags[one.problem_set][one.student] = [writable(flag) for flag in dict.fromkeys(new + one.notes)]
        partial = path.with_name(f"{path.name}.part")
        partial.write_text(json.dumps(flags, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        partial.replace(path)
        points, maximum = scores(course, one.problem_set, one.student)
        line = f"  {one.problem_set}  {one.student:<20} {points:g} of {maximum:g}  "
        print((line + "; ".join(flags[one.problem_set][one.student])).rstrip(), flush=True)
    for line in rejected:
        print(f"  not graded: {line}")
    for problem_set in selected:
        for student in make_feedback_pages(course, problem_set):
            print(f"  {problem_set}  {student:<20} no feedback page could be made")
    late = (
        f"--GradesAndFlags.late_days={options.late_days}",
        f"--GradesAndFlags.late_loss={options.late_loss}",
    )
    exported = run_nbgrader("export", "--to=grades.csv", *late, course=course)
    if exported.returncode:
        print(exported.stdout, file=sys.stderr)
        return 1
    write_uploads(course)
    zip_feedback(course, submissions)
    print(f"grades: {course / 'grades.csv'}, for platforms in {course / 'upload'}")
    print(f"feedback: {course / 'feedback'}, for platforms in {course / 'feedback.zip'}")
    if count := count_ungraded(course):
        print(f"ungraded written answers: {count}; run make formgrader, then make grade again")
    return 0


def _refuse_nested(submissions: Path, course: Path) -> None:
    if submissions.is_relative_to(course) or course.is_relative_to(submissions):
        raise ValueError(
            f"SUBMISSIONS={submissions} and COURSE={course} must not contain each other, because grading "
            "would overwrite its input; choose another COURSE"
        )


def _exit(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text}")
    return int(text)


def _number(text: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", text or "0"):
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, got {text!r}")
    return float(text or 0)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grade", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("submissions", type=Path, help="folder of submissions")
    parser.add_argument("--course", type=Path, default=ROOT / "grading", help="folder for the grades")
    parser.add_argument("--ps", default="", help="problem sets, separated by spaces (default: all)")
    parser.add_argument("--roster", default="", help="CSV file of the students")
    parser.add_argument("--late-days", type=_number, default=0, help="days late that cost nothing")
    parser.add_argument(
        "--late-loss", type=_number, default=0, help="percent of the points a further day costs"
    )
    parser.add_argument("--cell-seconds", type=_at_least_one, default=30, help="time limit of a cell")
    parser.add_argument("--seconds", type=_at_least_one, default=300, help="time limit of a notebook")
    parser.add_argument("--gigabytes", type=_at_least_one, default=3, help="memory limit of a notebook")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
