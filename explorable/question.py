"""One call that asks the reader a question and says to each answer why it is right or not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from typing import Any

from gpt2_teach.interactive.check_live import live_check
from gpt2_teach.interactive.check_page import check_html
from gpt2_teach.interactive.explore import IN_BOOK
from gpt2_teach.interactive.questions import Question, choice_question, number_question

_numbers = count(1)  # of the self-checks in this session, so that ids on a page stay apart


class SelfCheck:
    """A question: shown by ipywidgets where there is a kernel, and as HTML on the book's pages."""

    def __init__(self, question: Question, on_page: bool) -> None:
        self.question = question
        self._on_page = on_page

    def __repr__(self) -> str:
        return f"<self_check: {self.question.text}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        if not self._on_page:
            bundle: dict[str, Any] = live_check(self.question)._repr_mimebundle_()
            return bundle
        html = check_html(self.question, f"self-check-{next(_numbers)}")
        return {"text/html": html, "text/plain": repr(self)}


def self_check(
    question: str,
    *,
    answer: str | float,
    choices: Mapping[str, str] | None = None,
    tolerance: float | None = None,
    right: str | None = None,
    slips: Mapping[float, str] | None = None,
    otherwise: str | None = None,
    unit: str = "",
) -> SelfCheck:
    """Ask a question that is judged where it is read: on the page by a script, in a notebook by the kernel.

    Without a script the page shows the question and, folded, every answer with its reason. Texts may hold
    `code` between backticks and *emphasis* between asterisks.

    Args:
        question: what is asked.
        answer: the right one of `choices`, or a number: computed in the call, never typed.
        choices: for a choice, what is to be said to each answer that is offered.
        tolerance: for a number, how far off is still right, as a share of `answer`: 0.02 is 2 %. Slips have
            the same.
        right: for a number, what is to be said to the right one.
        slips: for a number, what is to be said to each typical wrong one.
        otherwise: for a number, what is to be said to every other.
        unit: shown behind the field for a number.

    Raises:
        TypeError, ValueError: an argument is not among these, or an answer has no reason.

    >>> check = self_check("One Parameter?", answer="yes", choices={"yes": "It is.", "no": "It is."})
    >>> check.question.judge("no")
    (False, 'Not quite. It is.')
    """
    if not isinstance(question, str):
        raise TypeError(f"question must be a string, got {question!r} ({type(question).__name__})")
    if not question.strip():
        raise ValueError("question must ask something, got an empty string")
    if not isinstance(unit, str):
        raise TypeError(f"unit must be a string, got {unit!r} ({type(unit).__name__})")
    for_numbers = {"tolerance": tolerance, "right": right, "slips": slips, "otherwise": otherwise}
    if choices is not None:
        given = [name for name, value in for_numbers.items() if value is not None] + ["unit"] * bool(unit)
        if given:
            raise ValueError(f"{given[0]} is for a number, and choices are given: leave one of them out")
        looked_over = choice_question(question, choices, answer)
    else:
        missing = [name for name, value in for_numbers.items() if value is None]
        if missing:
            raise ValueError(f"{missing[0]} must be given for a number, or else choices")
        looked_over = number_question(
            question, answer, tolerance, right=right, slips=slips, otherwise=otherwise, unit=unit
        )
    return SelfCheck(looked_over, os.environ.get(IN_BOOK, "") not in ("", "0"))
