"""One submission: put into the frame of its problem set, graded by nbgrader by itself, and flagged."""

from __future__ import annotations

import argparse
import hashlib
import shutil
from pathlib import Path

import nbformat

from assignments.course.collect_submissions import HandedIn
from assignments.course.executed_notebook import computed_for, outcome, shorten
from assignments.course.gradebook import holds, record_nothing
from assignments.course.platform_folders import plain
from assignments.course.rebuild_from_release import NoNotebookError, read, rebuild, student_ids
from assignments.course.run_nbgrader import nbgrader
from assignments.course.sandbox import environment, room
from gpt2_teach.problem_sets import seed_of


def grade(course: Path, file: HandedIn, options: argparse.Namespace, before: list[str]) -> list[str]:
    """Grade one submission and return what somebody should look at; `before`, if it was graded just so."""
    problem_set, student = file.problem_set, file.student
    name = f"{problem_set}.ipynb"
    received = course / "received" / student / problem_set / name
    received.parent.mkdir(parents=True, exist_ok=True)
    graded = course / "autograded" / student / problem_set / name
    done, what = received.with_name("graded.txt"), _fingerprint(course, file, options)
    before = [flag for flag in before if flag not in file.notes]
    just_so = graded.exists() and done.exists() and done.read_text(encoding="utf-8") == what
    if just_so and holds(course, problem_set, student):
        return before
    try:
        if file.content is None:
            raise NoNotebookError("what was handed in is too large to be a notebook")
        if not file.content:
            raise NoNotebookError("what was handed in is empty")
        if not file.place.endswith(".ipynb"):
            raise NoNotebookError(f"what was handed in is not a notebook: {Path(file.place).name}")
        submitted = read(file.content)
    except NoNotebookError as reason:
        received.with_name("refused").write_bytes(file.content or b"")
        if done.exists():
            return [*before, f"{reason}; the notebook that came before it counts"]
        record_nothing(course, problem_set, student)
        return [str(reason)]
    done.unlink(missing_ok=True)
    feedback = course / "feedback" / student / problem_set
    shutil.rmtree(feedback, ignore_errors=True)  # it tells of another grade
    received.write_bytes(file.content)
    released = nbformat.read(course / "release" / problem_set / name, as_version=4)
    rebuilt, flags = rebuild(submitted, released)
    ids = student_ids(submitted)
    said = ids[0] if ids else None
    flags += [f"STUDENT_ID is also {other}" for other in ids[1:] if not _same(other, ids[0])]
    if said is None or not is_of(said, student):
        flags.append(f"STUDENT_ID is {said!r}" if said else "no STUDENT_ID")

    into = course / "submitted" / student / problem_set / name
    into.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(rebuilt, into)
    into.with_name("timestamp.txt").unlink(missing_ok=True)
    if file.stamp:  # nbgrader tells from it who is late
        into.with_name("timestamp.txt").write_text(file.stamp, encoding="utf-8")
    shutil.rmtree(graded.parent, ignore_errors=True)
    with room(course, problem_set) as inside:
        place = Path(student, problem_set)
        shutil.copytree(into.parent, inside / "submitted" / place)
        run = nbgrader(
            "autograde",
            problem_set,
            f"--student={student}",
            "--force",
            f"--Execute.timeout={options.cell_seconds}",
            course=inside,
            seconds=options.seconds,
            memory=round(options.gigabytes * 1e9),
            environment=environment(inside),
        )
        if run.returncode == 0 and (inside / "autograded" / place / name).exists():
            shutil.copytree(inside / "autograded" / place, graded.parent)
    received.with_name("autograde.log").write_text(run.stdout, encoding="utf-8")
    if run.returncode or not graded.exists():
        record_nothing(course, problem_set, student)
        late = f"stopped after {options.seconds:g} seconds"
        return [*flags, late if run.returncode < 0 else "not graded: its kernel died"]
    executed = nbformat.read(graded, as_version=4)
    flags += outcome(executed)
    if shorten(executed):
        nbformat.write(executed, graded)
    computed = computed_for(executed)
    if computed is None:
        flags.append("its kernel did not run what it was given: the points may not be earned")
    elif said and not _same(computed.strip("'\""), said):
        flags.append(f"STUDENT_ID is {computed} at the end")
    done.write_text(what, encoding="utf-8")
    return flags


def is_of(said: str, student: str) -> bool:
    """Whether an id that a student typed is theirs; `student` has been made the name of a folder."""
    return _same(said, student) or plain(said) == student


def _same(one: str, other: str) -> bool:
    return bool(one.strip() and other.strip()) and seed_of(one) == seed_of(other)


def _fingerprint(course: Path, file: HandedIn, options: argparse.Namespace) -> str:
    """What a grade depends on: the submission, the problem set, and the limits."""
    known = (course / "known" / f"{file.problem_set}.ipynb").read_bytes()
    limits = f"{options.cell_seconds} {options.seconds} {options.gigabytes} {file.stamp}".encode()
    return hashlib.sha256(b"\0".join((file.content or b"", known, limits))).hexdigest()
