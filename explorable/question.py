"""A question for the reader, with a reason for each answer, judged with or without a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations

from explorable.answers import Question, Reason
from explorable.arguments import is_a, number_between, one_of, text
from explorable.question_html import question_html
from explorable.question_widgets import question_widgets
from explorable.two_faces import TwoFaced

LARGEST = 1e18  # of answers
MOST_TOLERANCE = 0.2  # with a larger one, a typical slip would count as right


class SelfCheck(TwoFaced):
    """A question, with a reason for each answer."""

    def __init__(self, question: Question) -> None:
        self.question = question
        super().__init__("self-check", partial(question_html, question), lambda _: question_widgets(question))

    def __repr__(self) -> str:
        return f"<self_check: {self.question.text}>"


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
    """Ask a question. On a page, a script judges the answer; in a notebook, the kernel does.

    Without JavaScript, the page shows the question and, folded, every answer with its reason. Texts may
    contain `code` between backticks and *emphasis* between asterisks.

    Args:
        question: the question.
        answer: the right one of `choices`, or a number, computed in the call rather than typed.
        choices: for a choice, each answer with its reason.
        tolerance: for a number, the relative error that still counts as right: 0.02 is 2 %. It applies to
            slips too.
        right: for a number, why the answer is right.
        slips: for a number, each typical wrong answer with its reason.
        otherwise: for a number, the reason for all other answers.
        unit: for a number, shown after the field.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> check = self_check("One Parameter?", answer="yes", choices={"yes": "It is.", "no": "It is."})
    >>> check.question.judge("no")
    (False, 'Not quite. It is.')
    """
    text("question", question)
    unit = is_a("unit", unit, str).strip()
    if choices is None:
        return SelfCheck(_number_question(question, answer, tolerance, right, slips, otherwise, unit))
    if unit or any(value is not None for value in (tolerance, right, slips, otherwise)):
        raise ValueError(
            "tolerance, right, slips, otherwise and unit are for a number, and choices were given"
        )
    return SelfCheck(_choice_question(question, choices, answer))


def _choice_question(question: str, choices: object, answer: object) -> Question:
    reasons = _reasons("choices", choices)
    if len(reasons) < 2:
        raise ValueError(f"choices must contain at least two answers, got {list(reasons)}")
    shown = [str(choice).strip() for choice in reasons]
    if not all(shown) or len(set(shown)) < len(shown):
        raise ValueError(f"choices must be different texts, none of them empty, got {list(reasons)}")
    one_of("answer", is_a("answer", answer, str), tuple(reasons))
    return Question(question, tuple(Reason(str(key), why, key == answer) for key, why in reasons.items()))


def _number_question(
    question: str,
    answer: object,
    tolerance: object,
    right: object,
    slips: object,
    otherwise: object,
    unit: str,
) -> Question:
    exact = number_between("answer", answer, -LARGEST, LARGEST)
    share = number_between("tolerance", tolerance, 0, MOST_TOLERANCE)
    if exact == 0 or share == 0:
        raise ValueError(f"answer and tolerance must not be 0, got {answer!r} and {tolerance!r}")
    listed = _reasons("slips", slips).items()
    wrong = {number_between("slips", value, -LARGEST, LARGEST): why for value, why in listed}
    for a, b in combinations([exact, *wrong], 2):
        if abs(a - b) <= share * (abs(a) + abs(b)):
            raise ValueError(
                "slips must be further from the answer and from one another than tolerance, "
                f"got {a:g} and {b:g}"
            )
    reasons = [Reason(format_number(exact, share), text("right", right), right=True, value=exact)]
    reasons += [Reason(format_number(value, share), why, value=value) for value, why in wrong.items()]
    reasons.append(Reason("Anything else", text("otherwise", otherwise)))
    return Question(question, tuple(reasons), share, unit)


def format_number(value: float, tolerance: float = 0.0) -> str:
    """Format a number for prose, with two digits if `tolerance` is so wide that more would mislead.

    >>> [format_number(value) for value in (0.0033333, 32.133, 617558016.0, 900.0)]
    ['0.00333', '32.1', '617,558,016', '900']
    >>> [format_number(value, tolerance=0.09) for value in (2.7214, 25.54, 0.3, 1234.0)]
    ['About 2.7', 'About 26', 'About 0.3', 'About 1,200']
    """
    about, value = ("About ", float(f"{value:.2g}")) if tolerance >= 0.05 else ("", value)
    return about + (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}")


def _reasons(name: str, value: object) -> dict[object, str]:
    pairs = is_a(name, value, Mapping).items()  # type: ignore[type-abstract]
    return {answer: text(f"{name}[{answer!r}]", why) for answer, why in pairs}
