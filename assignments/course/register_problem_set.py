"""Tells a course of a problem set, before anything that was handed in is graded."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from assignments.course import SOURCE
from assignments.course.gradebook import holds
from assignments.course.run_nbgrader import nbgrader


def prepare(course: Path, problem_set: str) -> None:
    """Tell the gradebook of a problem set, unless it stands there as the source has it.

    Raises ValueError if nbgrader cannot; the course is then as it was.
    """
    source = (SOURCE / problem_set / f"{problem_set}.ipynb").read_bytes()
    known, released = course / "known" / f"{problem_set}.ipynb", course / "release" / problem_set
    there = known.exists() and (released / known.name).exists()
    if there and known.read_bytes() == source and holds(course, problem_set):
        return
    with tempfile.TemporaryDirectory() as aside:
        if released.exists():
            shutil.copytree(released, Path(aside) / problem_set)
        made = nbgrader("generate_assignment", problem_set, "--create", "--force", course=course)
        if made.returncode and (Path(aside) / problem_set).exists():  # nbgrader has removed it
            shutil.copytree(Path(aside) / problem_set, released, dirs_exist_ok=True)
    if made.returncode:
        why = f"nbgrader could not prepare {problem_set}:\n{made.stdout[-1000:]}"
        if "Cannot add or remove cells" in made.stdout:
            why = f"a task of {problem_set} has come or gone since {course} was graded; name another COURSE"
        raise ValueError(why)
    known.parent.mkdir(exist_ok=True)
    known.write_bytes(source)
