"""The checks of what is random, for a thousand students: right answers keep the points, wrong ones lose them.

A task draws random numbers if the metadata of its test cell say so, by {"gpt2_teach": {"statistical": true}}.
The other tasks are tried with fewer students. The shares are left in _build/answers.md.
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
PART = 50  # students that a worker takes at once
TABLE = ROOT / "_build" / "answers.md"
Row = tuple[str, str, str, bool]  # problem set, task, what the answer does, whether it is right


def statistical(problem_set: str) -> set[str]:
    """The tasks whose test cells are marked."""
    return {
        cell.metadata["nbgrader"]["grade_id"].removesuffix("-test")
        for cell in notebook(problem_set).cells
        if cell.metadata.get("gpt2_teach", {}).get("statistical")
    }


def attempts() -> dict[Row, tuple[str, int]]:
    """What is tried: each answer, with its source and the number of students that give it."""
    found: dict[Row, tuple[str, int]] = {}
    for name in PROBLEM_SETS:
        students = {task: MANY if task in statistical(name) else FEW for task in tasks(name)}
        for task in tasks(name).values():
            found[name, task.name, "the solution", True] = task.solution, students[task.name]
        for answer in answers(name):
            found[name, answer.task, answer.words, answer.right] = answer.source, students[answer.task]
    return found


def accepted(problem_set: str, task: str, source: str, students: range) -> int:
    """How many of these students would get the points."""
    numbers = (check(tasks(problem_set)[task], source, f"s{student}") for student in students)
    return sum(wrong is None for wrong in numbers)


@pytest.mark.slow
def test_g2_a_thousand_students() -> None:
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

    lines = ["problem set | task | answer | students | kept the points", "--- | --- | --- | --- | ---"]
    bad = []
    for row, (_, students) in tried.items():
        name, task, words, right = row
        line = f"{name} | {task} | {'right' if right else 'wrong'}: {words} | {students} | {passed[row]}"
        lines.append(line)
        if passed[row] < students if right else passed[row] > students // MANY:
            bad.append(line)
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert not bad, "\n".join(bad)
