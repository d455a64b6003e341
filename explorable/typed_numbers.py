"""Numbers as readers type them, and as they are shown to readers.

`static/question.js` reads a number as `readings` does.
"""

from __future__ import annotations

import re

NUMERAL = r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?"
THOUSANDS = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?"
WIDE = 0.05  # the rounding error of two digits: with a larger tolerance, more digits mislead


def readings(typed: str, unit: str = "") -> list[str]:
    """Return each possible meaning of a typed number, in code notation; none if it is not a number.

    A comma is a decimal point in half of the world and a thousands separator in the other half. A percent
    sign divides by 100, unless `unit` is already percent.

    >>> [readings(typed) for typed in ("4.1e-3", "0,0041", "38,597,376", "31 %", "4,000", "many")]
    [['4.1e-3'], ['0.0041'], ['38597376'], ['31e-2'], ['4000', '4.000'], []]
    >>> readings("31 %", unit="%")
    ['31']
    """
    number = normalized(typed).removesuffix("%")
    decimal = number.replace(",", ".", 1)
    found = [decimal] if re.fullmatch(NUMERAL, decimal, flags=re.ASCII | re.I) else []
    if re.fullmatch(THOUSANDS, number, flags=re.ASCII):
        found.insert(0, number.replace(",", ""))
    hundredths = number != normalized(typed) and not in_percent(unit)
    return [_hundredth(numeral) for numeral in found] if hundredths else found


def in_percent(unit: str) -> bool:
    """Return whether answers in this unit are percentages."""
    return unit.strip() == "%"


def _hundredth(numeral: str) -> str:
    digits, _, exponent = numeral.lower().partition("e")
    return f"{digits}e{int(exponent or 0) - 2}"


def normalized(typed: str) -> str:
    """Remove spaces, and replace minus signs with hyphens, as in code."""
    return re.sub(r"\s", "", typed).replace("−", "-")


def format_number(value: float, tolerance: float = 0.0) -> str:
    """Format a number for prose, with two digits if `tolerance` is wide.

    >>> [format_number(value) for value in (0.0033333, 32.133, 617558016.0, 900.0)]
    ['0.00333', '32.1', '617,558,016', '900']
    >>> [format_number(value, tolerance=0.09) for value in (2.7214, 25.54, 0.3, 1234.0)]
    ['About 2.7', 'About 26', 'About 0.3', 'About 1,200']
    """
    about, value = ("About ", float(f"{value:.2g}")) if tolerance >= WIDE else ("", value)
    return about + (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}")
