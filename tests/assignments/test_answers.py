"""What the checks of the problem sets say of right answers and of the mistakes that people make."""

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
    ("name", "answer"), ANSWERS, ids=[f"{name}-{answer.task}-{answer.words}" for name, answer in ANSWERS]
)


@each_answer
def test_g2_right_answers_keep_the_points_and_wrong_ones_lose_them(name: str, answer: Answer) -> None:
    task = tasks(name)[answer.task]
    drawn = "STUDENT_ID" in task.checks  # else the checks are the same for all
    for student in STUDENTS if drawn else STUDENTS[:1]:
        wrong = check(task, answer.source, student)
        if answer.right:
            assert wrong is None, f"{student}: {wrong!r}"
        else:
            assert wrong is not None, student
            assert not isinstance(wrong, NameError | SyntaxError), f"{student}: {wrong!r}"


@each_set
def test_every_task_has_three_right_answers_besides_its_own_and_several_wrong_ones(name: str) -> None:
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
