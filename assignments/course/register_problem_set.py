"""Registers a problem set in the gradebook of a course, before its submissions are graded."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from assignments.course import SOURCE
from assignments.course.gradebook import is_registered
from assignments.course.run_nbgrader import run_nbgrader


def register(course: Path, problem_set: str) -> None:
    """Register a problem set, unless the gradebook already has its present source.

    Raises ValueError, and leaves the course unchanged, if nbgrader fails.
    """
    source = (SOURCE / problem_set / f"{problem_set}.ipynb").read_bytes()
    known, released = course / "known" / f"{problem_set}.ipynb", course / "release" / problem_set
    exists = known.exists() and (released / known.name).exists()
    if exists and known.read_bytes() == source and is_registered(course, problem_set):
        return
    with tempfile.TemporaryDirectory() as scratch:
        backup = Path(scratch) / problem_set
        if released.exists():
            shutil.copytree(released, backup)
        run = run_nbgrader("generate_assignment", problem_set, "--create", "--force", course=course)
        if run.returncode and backup.exists():  # nbgrader has removed the release
            shutil.copytree(backup, released, dirs_exist_ok=True)
    if run.returncode:
        reason = f"nbgrader could not prepare {problem_set}:\n{run.stdout[-1000:]}"
        if "Cannot add or remove cells" in run.stdout:
            reason = f"{problem_set} has gained or lost a task since {course} was graded; name another COURSE"
        raise ValueError(reason)
    known.parent.mkdir(exist_ok=True)
    known.write_bytes(source)
