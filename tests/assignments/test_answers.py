"""The checks of the problem sets accept right answers and reject common mistakes, for every student.

A task is statistical if the metadata of its test cell have {"gpt2_teach": {"statistical": true}}: its checks
are also tried for a thousand students, those of the other tasks for fewer. The results are written to
_build/answers.md.
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

import pytest
import torch

from tests.assignments.answers import Answer, answers
from tests.assignments.tasks import PROBLEM_SETS, ROOT, check, notebook, tasks

pytestmark = pytest.mark.usefixtures("one_thread")

ANSWERS = [(name, answer) for name in PROBLEM_SETS for answer in answers(name)]
ANSWERS += [
    (name, Answer(task.name, right, f"the cell that is {kind}", source))
    for name in PROBLEM_SETS
    for task in tasks(name).values()
    for right, kind, source in ((True, "the solution", task.solution), (False, "released", task.released))
]
STUDENTS = ("ada", "grace", "emmy")  # each with data of their own
MANY, FEW = 1000, 50
PART = 50  # students per job of a worker


@pytest.mark.parametrize(
    ("name", "answer"), ANSWERS, ids=[f"{name}-{one.task}-{one.description}" for name, one in ANSWERS]
)
def test_g2_right_answers_pass_and_wrong_ones_fail(name: str, answer: Answer) -> None:
    task = tasks(name)[answer.task]
    drawn = "STUDENT_ID" in task.checks  # otherwise the checks are the same for all students
    for student in STUDENTS if drawn else STUDENTS[:1]:
        error = check(task, answer.source, student)
        assert (error is None) == answer.right, f"{student}: {error!r}"
        assert "the cell" in answer.description or not isinstance(error, NameError | SyntaxError), error


def accepted(problem_set: str, answer: Answer, students: range) -> int:
    """Return how many of these students would get the points."""
    task = tasks(problem_set)[answer.task]
    return sum(check(task, answer.source, f"s{student}") is None for student in students)


@pytest.mark.slow
def test_g2_a_thousand_students_get_the_points_that_they_deserve() -> None:
    statistical = {
        (name, cell.metadata["nbgrader"]["grade_id"].removesuffix("-test"))
        for name in PROBLEM_SETS
        for cell in notebook(name).cells
        if cell.metadata.get("gpt2_teach", {}).get("statistical")
    }
    assert statistical
    # not forked: a fork of a process in which torch has started threads can hang
    context = multiprocessing.get_context("spawn")
    lines, bad = ["problem set | task | answer | students | passed", "--- | --- | --- | --- | ---"], []
    with ProcessPoolExecutor(os.cpu_count(), context, torch.set_num_threads, (1,)) as workers:
        jobs = []
        for name, answer in ANSWERS:
            students = MANY if (name, answer.task) in statistical else FEW
            ranges = [range(start, min(start + PART, students)) for start in range(0, students, PART)]
            jobs.append((students, [workers.submit(accepted, name, answer, part) for part in ranges]))
        for (name, answer), (students, parts) in zip(ANSWERS, jobs):
            passed = sum(part.result() for part in parts)
            verdict = f"{'right' if answer.right else 'wrong'}: {answer.description}"
            lines.append(f"{name} | {answer.task} | {verdict} | {students} | {passed}")
            if passed < students if answer.right else passed > students // MANY:
                bad.append(lines[-1])
    (ROOT / "_build").mkdir(exist_ok=True)
    (ROOT / "_build" / "answers.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert not bad, "\n".join(bad)
