"""The checks of the problem sets accept right answers and reject common mistakes."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.assignments.answers import Answer, answers
from tests.assignments.tasks import PROBLEM_SETS, check, tasks

pytestmark = pytest.mark.usefixtures("one_thread")

ANSWERS = [(name, answer) for name in PROBLEM_SETS for answer in answers(name)]
STUDENTS = ("ada", "grace", "emmy")  # each with data of their own
each_set = pytest.mark.parametrize("name", PROBLEM_SETS)
each_answer = pytest.mark.parametrize(
    ("name", "answer"),
    ANSWERS,
    ids=[f"{name}-{answer.task}-{answer.description}" for name, answer in ANSWERS],
)


@each_answer
def test_g2_right_answers_pass_and_wrong_ones_fail(name: str, answer: Answer) -> None:
    task = tasks(name)[answer.task]
    drawn = "STUDENT_ID" in task.checks  # otherwise the checks are the same for all students
    for student in STUDENTS if drawn else STUDENTS[:1]:
        error = check(task, answer.source, student)
        if answer.right:
            assert error is None, f"{student}: {error!r}"
        else:
            assert error is not None, student
            assert not isinstance(error, NameError | SyntaxError), f"{student}: {error!r}"


@each_set
def test_every_task_has_three_more_right_answers_and_two_wrong_ones(name: str) -> None:
    right = Counter(answer.task for answer in answers(name) if answer.right)
    wrong = Counter(answer.task for answer in answers(name) if not answer.right)
    assert set(right) | set(wrong) == set(tasks(name))
    assert all(right[task] >= 3 and wrong[task] >= 2 for task in tasks(name)), (right, wrong)


def test_there_are_forty_wrong_answers() -> None:
    assert sum(not answer.right for _, answer in ANSWERS) >= 40


@each_set
def test_the_solution_passes_and_the_released_cell_does_not(name: str) -> None:
    for task in tasks(name).values():
        assert check(task, task.solution) is None, task.name
        assert check(task, task.released) is not None, task.name
