"""Questions with a right answer and typical wrong ones, and the verdict on a reader's answer.

`Question.judge` does with a kernel what `static/question.js` does in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass

from explorable.typed_numbers import normalized, readings

RIGHT, WRONG = "Right.", "Not quite."
NOTHING_CHOSEN = "Choose an answer first."
NO_NUMBER = "Type a decimal number, like 0.04, 4e-2 or 1200."
TWO_READINGS = "{} may mean {} or {}: type one of these two."
READ_AS = "Read as {}. "  # shown if it is not exactly what was typed


@dataclass(frozen=True)
class Reason:
    """One answer, and why it is right or wrong."""

    shown: str
    why: str
    right: bool = False
    value: float | None = None  # None for a choice, and for "all other numbers"

    def matches(self, number: float, tolerance: float) -> bool:
        """Return whether a number counts as this answer."""
        return self.value is None or abs(number - self.value) <= tolerance * abs(self.value)

    @property
    def verdict(self) -> str:
        """Return the text shown to a reader who gave this answer."""
        return f"{RIGHT if self.right else WRONG} {self.why}"


@dataclass(frozen=True)
class Question:
    """A question with exactly one right answer; no number matches two of its reasons."""

    text: str
    reasons: tuple[Reason, ...]
    tolerance: float | None = None  # relative, of a number; None for a choice
    unit: str = ""

    def judge(self, given: str | None) -> tuple[bool, str]:
        """Return whether an answer is right, and the verdict; `given` is a choice as shown, or typed text.

        >>> reasons = (Reason("4", "Yes.", right=True, value=4.0), Reason("Anything else", "Count."))
        >>> Question("2 + 2?", reasons, tolerance=0.01).judge("4.01")
        (True, 'Right. Yes.')
        """
        if self.tolerance is not None:
            return self._judge_number(given or "", self.tolerance)
        found = next((reason for reason in self.reasons if reason.shown == given), None)
        return (found.right, found.verdict) if found else (False, NOTHING_CHOSEN)

    def _judge_number(self, typed: str, tolerance: float) -> tuple[bool, str]:
        possible = readings(typed, self.unit)
        if not possible:
            return False, NO_NUMBER
        if len(possible) > 1:
            return False, TWO_READINGS.format(normalized(typed), *possible)
        number = float(possible[0])
        found = next(reason for reason in self.reasons if reason.matches(number, tolerance))
        read_as = "" if possible[0] == typed.strip() else READ_AS.format(possible[0])
        return found.right, read_as + found.verdict
