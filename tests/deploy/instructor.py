"""The instructor's side of a class: what they type in their own server, under their own account."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.deploy.person import Person

NBGRADER = """
import subprocess
done = subprocess.run({command!r}, cwd={course!r}, capture_output=True, text=True)
print(done.stdout + done.stderr)
assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
"""

# Points of the cells that nbgrader graded by itself, and the most there were, of every student.
SCORES = """
import json
from nbgrader.api import Gradebook
with Gradebook({database!r}) as book:
    scores = {{}}
    for submission in book.assignment_submissions({problem_set!r}):
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        automatic = [grade for grade in grades if grade.auto_score is not None]
        reached, most = sum(g.auto_score for g in automatic), sum(g.max_score for g in automatic)
        scores[submission.student.id] = (reached, most)
    print(json.dumps(scores))
"""


@dataclass
class Instructor:
    """Somebody of the staff with a course folder in their home."""

    person: Person
    course: Path
    problem_set: str

    def nbgrader(self, *command: str) -> str:
        """Run nbgrader in the course folder; what it said."""
        return self.person.run(NBGRADER.format(command=["nbgrader", *command], course=str(self.course)))

    def release(self) -> None:
        """Make the students' version and put it into the exchange."""
        self.nbgrader("generate_assignment", self.problem_set)
        self.nbgrader("release_assignment", self.problem_set)

    def collect(self) -> str:
        """Take what was submitted."""
        return self.nbgrader("collect", self.problem_set)

    def grade(self) -> dict[str, Any]:
        """Grade all of it; points reached and the most there were, by student."""
        self.nbgrader("autograde", self.problem_set)
        database = f"sqlite:///{self.course / 'gradebook.db'}"
        scores: dict[str, Any] = json.loads(
            self.person.run(SCORES.format(database=database, problem_set=self.problem_set))
        )
        return scores
