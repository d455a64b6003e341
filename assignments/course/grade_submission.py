"""Grades one submission: rebuilds it from the release, runs nbgrader on it in a sandbox, and flags it."""

from __future__ import annotations

import argparse
import hashlib
import shutil
from pathlib import Path

import nbformat

from assignments.course.collect_submissions import Submission
from assignments.course.executed_notebook import execution_flags, final_student_id, shorten_outputs
from assignments.course.gradebook import is_registered, record_zero
from assignments.course.platform_folders import safe_id
from assignments.course.rebuild_from_release import NotANotebookError, read_notebook, rebuild, student_ids
from assignments.course.run_nbgrader import run_nbgrader
from assignments.course.sandbox import sandbox, sandbox_environment
from gpt2_teach.problem_sets import seed_of


def grade(
    course: Path, submission: Submission, options: argparse.Namespace, previous_flags: list[str]
) -> list[str]:
    """Grade one submission and return its flags, `previous_flags` if nothing has changed since."""
    problem_set, student = submission.problem_set, submission.student
    name = f"{problem_set}.ipynb"
    received = course / "received" / student / problem_set / name
    received.parent.mkdir(parents=True, exist_ok=True)
    graded = course / "autograded" / student / problem_set / name
    record, fingerprint = received.with_name("graded.txt"), _fingerprint(course, submission, options)
    previous_flags = [flag for flag in previous_flags if flag not in submission.notes]
    unchanged = graded.exists() and record.exists() and record.read_text(encoding="utf-8") == fingerprint
    if unchanged and is_registered(course, problem_set, student):
        return previous_flags
    try:
        if submission.content is None:
            raise NotANotebookError("the submission is too large to be a notebook")
        if not submission.content:
            raise NotANotebookError("the submission is empty")
        if not submission.path.endswith(".ipynb"):
            raise NotANotebookError(f"the submission is not a notebook: {Path(submission.path).name}")
        submitted = read_notebook(submission.content)
    except NotANotebookError as reason:
        received.with_name("refused").write_bytes(submission.content or b"")
        if record.exists():
            return [*previous_flags, f"{reason}; the previous notebook counts"]
        record_zero(course, problem_set, student)
        return [str(reason)]
    record.unlink(missing_ok=True)
    feedback = course / "feedback" / student / problem_set
    shutil.rmtree(feedback, ignore_errors=True)  # it shows the previous grade
    received.write_bytes(submission.content)
    released = nbformat.read(course / "release" / problem_set / name, as_version=4)
    rebuilt, flags = rebuild(submitted, released)
    ids = student_ids(submitted)
    typed_id = ids[0] if ids else None
    flags += [f"STUDENT_ID is also {other}" for other in ids[1:] if not _same_seed(other, ids[0])]
    if typed_id is None or not id_matches(typed_id, student):
        flags.append(f"STUDENT_ID is {typed_id!r}" if typed_id else "no STUDENT_ID")

    into = course / "submitted" / student / problem_set / name
    into.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(rebuilt, into)
    into.with_name("timestamp.txt").unlink(missing_ok=True)
    if submission.timestamp:  # nbgrader compares it with the due date
        into.with_name("timestamp.txt").write_text(submission.timestamp, encoding="utf-8")
    shutil.rmtree(graded.parent, ignore_errors=True)
    with sandbox(course, problem_set) as inside:
        place = Path(student, problem_set)
        shutil.copytree(into.parent, inside / "submitted" / place)
        run = run_nbgrader(
            "autograde",
            problem_set,
            f"--student={student}",
            "--force",
            f"--Execute.timeout={options.cell_seconds}",
            course=inside,
            seconds=options.seconds,
            memory=round(options.gigabytes * 1e9),
            environment=sandbox_environment(inside),
        )
        if run.returncode == 0 and (inside / "autograded" / place / name).exists():
            shutil.copytree(inside / "autograded" / place, graded.parent)
    received.with_name("autograde.log").write_text(run.stdout, encoding="utf-8")
    if run.returncode or not graded.exists():
        record_zero(course, problem_set, student)
        timeout = f"stopped after {options.seconds:g} seconds"
        return [*flags, timeout if run.returncode < 0 else "not graded: the kernel died"]
    executed = nbformat.read(graded, as_version=4)
    flags += execution_flags(executed)
    if shorten_outputs(executed):
        nbformat.write(executed, graded)
    final_id = final_student_id(executed)
    if final_id is None:
        flags.append("the kernel skipped the last cell: check that the points are earned")
    elif typed_id and not _same_seed(final_id.strip("'\""), typed_id):
        flags.append(f"STUDENT_ID is {final_id} at the end")
    record.write_text(fingerprint, encoding="utf-8")
    return flags


def id_matches(typed_id: str, student: str) -> bool:
    """Return whether a typed id belongs to `student`, an id made safe as a folder name."""
    return _same_seed(typed_id, student) or safe_id(typed_id) == student


def _same_seed(one: str, other: str) -> bool:
    return bool(one.strip() and other.strip()) and seed_of(one) == seed_of(other)


def _fingerprint(course: Path, submission: Submission, options: argparse.Namespace) -> str:
    """Return a hash of what a grade depends on: the submission, the problem set, and the limits."""
    known = (course / "known" / f"{submission.problem_set}.ipynb").read_bytes()
    limits = f"{options.cell_seconds} {options.seconds} {options.gigabytes} {submission.timestamp}".encode()
    return hashlib.sha256(b"\0".join((submission.content or b"", known, limits))).hexdigest()
