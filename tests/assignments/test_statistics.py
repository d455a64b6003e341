"""For a thousand students, the checks of random results accept right answers and reject wrong ones.

A task is statistical if the metadata of its test cell have {"gpt2_teach": {"statistical": true}}. The other
tasks are tested with fewer students. The results are written to _build/answers.md.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest
import torch

from tests.assignments.answers import answers
from tests.assignments.tasks import PROBLEM_SETS, ROOT, check, notebook, tasks

pytestmark = pytest.mark.usefixtures("one_thread")

MANY, FEW = 1000, 50
PART = 50  # students per job of a worker
TABLE = ROOT / "_build" / "answers.md"
Row = tuple[str, str, str, bool]  # problem set, task, description of the answer, whether it is right


def statistical(problem_set: str) -> set[str]:
    """Return the tasks of a problem set that are marked as statistical."""
    return {
        cell.metadata["nbgrader"]["grade_id"].removesuffix("-test")
        for cell in notebook(problem_set).cells
        if cell.metadata.get("gpt2_teach", {}).get("statistical")
    }


def attempts() -> dict[Row, tuple[str, int]]:
    """Return each answer to test, with its source and the number of students."""
    found: dict[Row, tuple[str, int]] = {}
    for name in PROBLEM_SETS:
        students = {task: MANY if task in statistical(name) else FEW for task in tasks(name)}
        for task in tasks(name).values():
            found[name, task.name, "the solution", True] = task.solution, students[task.name]
        for answer in answers(name):
            found[name, answer.task, answer.description, answer.right] = answer.source, students[answer.task]
    return found


def accepted(problem_set: str, task: str, source: str, students: range) -> int:
    """Return how many of these students would get the points."""
    errors = (check(tasks(problem_set)[task], source, f"s{student}") for student in students)
    return sum(error is None for error in errors)


@pytest.mark.slow
def test_g2_a_thousand_students_get_the_points_that_they_deserve() -> None:
    tried = attempts()
    passed: Counter[Row] = Counter()
    # not forked: a fork of a process in which torch has started threads can hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context, torch.set_num_threads, (1,)) as workers:
        jobs = [
            (row, workers.submit(accepted, row[0], row[1], source, range(start, min(start + PART, students))))
            for row, (source, students) in tried.items()
            for start in range(0, students, PART)
        ]
        for row, job in jobs:
            passed[row] += job.result()

    lines = ["problem set | task | answer | students | passed", "--- | --- | --- | --- | ---"]
    bad = []
    for row, (_, students) in tried.items():
        name, task, description, right = row
        line = (
            f"{name} | {task} | {'right' if right else 'wrong'}: {description} | {students} | {passed[row]}"
        )
        lines.append(line)
        if passed[row] < students if right else passed[row] > students // MANY:
            bad.append(line)
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert not bad, "\n".join(bad)
