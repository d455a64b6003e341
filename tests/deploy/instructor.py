"""The instructor of a class, who runs nbgrader in their own server, under their own account."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.deploy.hub_user import HubUser

NBGRADER = """
import subprocess
done = subprocess.run({command!r}, cwd={course!r}, capture_output=True, text=True)
print(done.stdout + done.stderr)
assert done.returncode == 0, (done.stdout + done.stderr)[-5000:]
"""

# Prints the points and the maximum of every student, for automatically graded cells.
SCORES = """
import json
from nbgrader.api import Gradebook
with Gradebook({database!r}) as book:
    scores = {{}}
    for submission in book.assignment_submissions({problem_set!r}):
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        automatic = [grade for grade in grades if grade.auto_score is not None]
        points, maximum = sum(g.auto_score for g in automatic), sum(g.max_score for g in automatic)
        scores[submission.student.id] = (points, maximum)
    print(json.dumps(scores))
"""


@dataclass
class Instructor:
    """A member of the staff with a course folder in their home."""

    user: HubUser
    course: Path
    problem_set: str

    def nbgrader(self, *command: str) -> str:
        """Run nbgrader in the course folder; return its output."""
        return self.user.run(NBGRADER.format(command=["nbgrader", *command], course=str(self.course)))

    def release(self) -> None:
        """Generate the students' version and release it to the exchange."""
        self.nbgrader("generate_assignment", self.problem_set)
        self.nbgrader("release_assignment", self.problem_set)

    def collect(self) -> str:
        """Collect the submissions; return nbgrader's output."""
        return self.nbgrader("collect", self.problem_set)

    def grade(self) -> dict[str, Any]:
        """Grade all submissions; return points and maximum by student."""
        self.nbgrader("autograde", self.problem_set)
        database = f"sqlite:///{self.course / 'gradebook.db'}"
        scores: dict[str, Any] = json.loads(
            self.user.run(SCORES.format(database=database, problem_set=self.problem_set))
        )
        return scores
