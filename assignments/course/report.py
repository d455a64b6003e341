"""Reports how a class did: points, pass rate and the commonest messages of each task, and a plot.

python -m assignments.course.report COURSE
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
from tabulate import tabulate

from assignments.course.gradebook import open_gradebook


def report(course: Path) -> str:
    """Return a table of the tasks of all graded problem sets in Markdown, and draw report.svg."""
    rows = []
    with open_gradebook(course) as book:
        for assignment in sorted(book.assignments, key=lambda one: str(one.name)):
            grades: dict[str, list[tuple[float, float]]] = {}
            for submission in book.assignment_submissions(assignment.name):
                for notebook in submission.notebooks:
                    for grade in notebook.grades:
                        grades.setdefault(grade.name, []).append((grade.score, grade.max_score))
            messages = _messages(course, assignment.name)
            for task, points in grades.items():
                mean = sum(score for score, _ in points) / len(points)
                passed = sum(score == most for score, most in points) / len(points)
                common = "; ".join(
                    f"{text} ({n})" for text, n in messages.get(task, Counter()).most_common(3)
                )
                maximum = points[0][1]
                name = task.removesuffix("-test")
                rows.append([assignment.name, name, len(points), f"{mean:.1f}", maximum, passed, common])
    if not rows:
        return f"{course} has no graded submissions"
    figure, axes = plt.subplots(figsize=(6, 1 + 0.25 * len(rows)), layout="constrained")
    axes.barh([f"{row[0]}: {row[1]}" for row in rows], [100 * row[5] for row in rows])
    axes.set(xlim=(0, 100), xlabel="percent of the submissions with full points")
    axes.invert_yaxis()
    figure.savefig(course / "report.svg")
    columns = ["problem set", "task", "handed in", "mean", "of", "passed", "commonest messages"]
    return tabulate([[*row[:5], f"{row[5]:.0%}", row[6]] for row in rows], columns, tablefmt="github")


def _messages(course: Path, problem_set: str) -> dict[str, Counter[str]]:
    """Return, for each test cell, how often each first line of an error came up."""
    found: dict[str, Counter[str]] = {}
    for path in (course / "autograded").glob(f"*/{problem_set}/{problem_set}.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            task = cell.metadata.get("nbgrader", {}).get("grade_id", "")
            for output in cell.get("outputs", ()):
                if output.output_type == "error":
                    text = f"{output.ename}: {output.evalue}".splitlines()[0][:100].replace("|", "/")
                    found.setdefault(task, Counter())[text] += 1
    return found


if __name__ == "__main__":
    course = Path(sys.argv[1]).expanduser()
    if not (course / "gradebook.db").exists():
        sys.exit(f"COURSE: {course} has no gradebook yet; run make grade first")
    text = report(course)
    (course / "report.md").write_text(f"{text}\n\n![](report.svg)\n", encoding="utf-8")
    print(text)
