"""A question with the right answer, the wrong ones that people give, and what is to be said to each.

What the page's script (book/_static/self_check.js) does in a browser, `Question.judge` does with a kernel.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from gpt2_teach.interactive.numerals import bare, numerals, shown_number

RIGHT, WRONG = "Right.", "Not quite."
NOTHING_CHOSEN = "Choose an answer first."
NO_NUMBER = "Type a decimal number, like 0.04, 4e-2 or 1200."
TWO_READINGS = "{} may mean {} or {}: type one of these two."
READ_AS = "Read as {}. "  # said where it is not what was typed, letter by letter
MOST_TOLERANCE = 0.2  # of the answer: wider, and a typical slip would pass


@dataclass(frozen=True)
class Reason:
    """One answer and what to say to it."""

    shown: str
    why: str
    right: bool = False
    value: float | None = None  # of a number; None is a choice, or whatever else was typed

    @property
    def verdict(self) -> str:
        """What is said to whoever gave this answer."""
        return f"{RIGHT if self.right else WRONG} {self.why}"


@dataclass(frozen=True)
class Question:
    """Looked over: exactly one reason is right, and no two can be meant by the same answer."""

    text: str
    reasons: tuple[Reason, ...]
    tolerance: float | None = None  # of a number, as a share of it; None is a choice
    unit: str = ""

    def judge(self, given: str | None) -> tuple[bool, str]:
        """Whether an answer is right, and what to say to it; `given` is a choice as shown, or what was typed.

        >>> number_question("2 + 2?", 4.0, 0.01, right="Yes.", slips={}, otherwise="Count.").judge("4.01")
        (True, 'Right. Yes.')
        """
        if self.tolerance is not None:
            return self._judge_number(given or "", self.tolerance)
        found = next((reason for reason in self.reasons if reason.shown == given), None)
        return (found.right, found.verdict) if found else (False, NOTHING_CHOSEN)

    def _judge_number(self, typed: str, tolerance: float) -> tuple[bool, str]:
        readings = numerals(typed, self.unit)
        if not readings:
            return False, NO_NUMBER
        if len(readings) > 1:
            return False, TWO_READINGS.format(bare(typed), *readings)
        number = float(readings[0])
        found = next(reason for reason in self.reasons if within(number, reason.value, tolerance))
        read = "" if readings[0] == typed.strip() else READ_AS.format(readings[0])
        return found.right, read + found.verdict


def within(number: float, value: float | None, tolerance: float) -> bool:
    """Whether `number` is meant by `value`; everything is by None.

    >>> within(0.0041, 0.00408, 0.01), within(0.005, 0.00408, 0.01)
    (True, False)
    """
    return value is None or abs(number - value) <= tolerance * abs(value)


def choice_question(text: str, choices: object, answer: object) -> Question:
    """A question with a few answers to choose from; `choices` leads from each to what is to be said to it.

    Raises TypeError or ValueError unless `answer` is one of at least two choices, each with its sentence.
    """
    sentences = _sentences("choices", choices)
    if len(sentences) < 2:
        raise ValueError(f"choices must hold at least two answers, got {list(sentences)}")
    shown = [str(choice).strip() for choice in sentences]
    if not all(shown) or len(set(shown)) < len(shown):
        raise ValueError(f"choices must be different texts, none of them empty, got {list(sentences)}")
    if not isinstance(answer, str):
        raise TypeError(
            f"answer must be one of choices, as a string, got {answer!r} ({type(answer).__name__})"
        )
    if answer not in sentences:
        raise ValueError(f"answer must be one of choices, got {answer!r}; they are {list(sentences)}")
    return Question(
        text, tuple(Reason(str(choice), why, choice == answer) for choice, why in sentences.items())
    )


def number_question(
    text: str,
    answer: object,
    tolerance: object,
    *,
    right: object,
    slips: object,
    otherwise: object,
    unit: str = "",
) -> Question:
    """A question whose answer is a number; `slips` leads from the typical wrong ones to their sentences.

    Raises TypeError or ValueError unless `answer` is finite and not 0, `tolerance` above 0 and at most 0.2,
    every sentence there, and no number so near to another that both could be meant.
    """
    exact, share = _finite("answer", answer), _finite("tolerance", tolerance)
    if exact == 0:
        raise ValueError("answer must not be 0, of which a tolerance would be 0 as well")
    if not 0 < share <= MOST_TOLERANCE:
        raise ValueError(
            f"tolerance must be a share of the answer above 0 and at most {MOST_TOLERANCE}, got {tolerance!r}"
        )
    wrong = {_finite("slips", value): why for value, why in _sentences("slips", slips).items()}
    for a, b in combinations([exact, *wrong], 2):
        if abs(a - b) <= share * (abs(a) + abs(b)):
            raise ValueError(
                "slips must be further from the answer and from one another than tolerance, "
                f"got {a:g} and {b:g}"
            )
    reasons = [Reason(shown_number(exact, share), _sentence("right", right), right=True, value=exact)]
    reasons += [Reason(shown_number(value, share), why, value=value) for value, why in wrong.items()]
    reasons.append(Reason("Anything else", _sentence("otherwise", otherwise)))
    return Question(text, tuple(reasons), share, unit)


def _finite(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {value!r} ({type(value).__name__})")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return float(value)


def _sentence(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a sentence, got {value!r} ({type(value).__name__})")
    if not value.strip():
        raise ValueError(f"{name} must be a sentence, got an empty string: every answer gets its reason")
    return value


def _sentences(name: str, value: object) -> dict[object, str]:
    if not isinstance(value, Mapping):
        raise TypeError(
            f"{name} must be a mapping from answers to sentences, got {value!r} ({type(value).__name__})"
        )
    return {answer: _sentence(f"{name}[{answer!r}]", why) for answer, why in value.items()}
