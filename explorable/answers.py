"""A question's answers, each with its reason, and the verdict on what a reader chooses or types.

`Question.judge` does with a kernel what `static/question.js` does in a browser.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NOTHING_CHOSEN = "Choose an answer first."
NO_NUMBER = "Type a decimal number, like 0.04, 4e-2 or 1200."

_NUMERAL = r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?"
_THOUSANDS = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?"


@dataclass(frozen=True)
class Reason:
    """One answer, and why it is right or wrong."""

    shown: str
    why: str
    right: bool = False
    value: float | None = None  # None for a choice, and for "all other numbers"

    @property
    def verdict(self) -> str:
        """Return the text shown to a reader who gave this answer."""
        return f"{'Right.' if self.right else 'Not quite.'} {self.why}"


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
            return False, f"{_as_in_code(typed)} may mean {' or '.join(possible)}: type one of these two."
        number = float(possible[0])
        found = next(
            reason
            for reason in self.reasons
            if reason.value is None or abs(number - reason.value) <= tolerance * abs(reason.value)
        )
        read_as = "" if possible[0] == typed.strip() else f"Read as {possible[0]}. "
        return found.right, read_as + found.verdict


def readings(typed: str, unit: str = "") -> list[str]:
    """Return each possible meaning of a typed number, in code notation; none if it is not a number.

    A comma is a decimal point in half of the world and a thousands separator in the other half. A percent
    sign divides by 100, unless `unit` is percent.

    >>> [readings(typed) for typed in ("4.1e-3", "0,0041", "38,597,376", "31 %", "4,000", "many")]
    [['4.1e-3'], ['0.0041'], ['38597376'], ['31e-2'], ['4000', '4.000'], []]
    >>> readings("31 %", unit="%")
    ['31']
    """
    whole = _as_in_code(typed)
    number = whole.removesuffix("%")
    decimal = number.replace(",", ".", 1)
    found = [number.replace(",", "")] if re.fullmatch(_THOUSANDS, number, flags=re.ASCII) else []
    if re.fullmatch(_NUMERAL, decimal, flags=re.ASCII | re.I):
        found.append(decimal)
    return found if number == whole or unit == "%" else [_hundredth(numeral) for numeral in found]


def _as_in_code(typed: str) -> str:
    return re.sub(r"\s", "", typed).replace("−", "-")


def _hundredth(numeral: str) -> str:
    digits, _, exponent = numeral.lower().partition("e")
    return f"{digits}e{int(exponent or 0) - 2}"
