"""How a number that a reader types is read, and how one is shown to a reader.

The page's script (book/_static/self_check.js) reads as `numerals` does.
"""

from __future__ import annotations

import re

NUMERAL = r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?"
THOUSANDS = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?"
WIDE = 0.05  # what two digits may be off by: from here on they are enough, and more would feign precision


def numerals(typed: str, unit: str = "") -> list[str]:
    """Each number that may be meant by what was typed, as code writes it; none if it is no number.

    A comma stands for a decimal point in half of the world, and between thousands in the other half. A
    percent sign says what `unit` does where percent are asked for; elsewhere the number is a hundredth of it.

    >>> [numerals(typed) for typed in ("4.1e-3", "0,0041", "38,597,376", "31 %", "4,000", "many")]
    [['4.1e-3'], ['0.0041'], ['38597376'], ['31e-2'], ['4000', '4.000'], []]
    >>> numerals("31 %", unit="%")
    ['31']
    """
    number = bare(typed).removesuffix("%")
    decimal = number.replace(",", ".", 1)
    readings = [decimal] if re.fullmatch(NUMERAL, decimal, flags=re.ASCII | re.I) else []
    if re.fullmatch(THOUSANDS, number, flags=re.ASCII):
        readings.insert(0, number.replace(",", ""))
    hundredths = number != bare(typed) and not in_percent(unit)
    return [_hundredth(reading) for reading in readings] if hundredths else readings


def in_percent(unit: str) -> bool:
    """Whether an answer in this unit counts percent."""
    return unit.strip() == "%"


def _hundredth(numeral: str) -> str:
    digits, _, exponent = numeral.lower().partition("e")
    return f"{digits}e{int(exponent or 0) - 2}"


def bare(typed: str) -> str:
    """What was typed without spaces, a minus as code writes it."""
    return re.sub(r"\s", "", typed).replace("−", "-")


def shown_number(value: float, tolerance: float = 0.0) -> str:
    """A number as prose would have it: to no more digits than matter where `tolerance` is wide.

    >>> [shown_number(value) for value in (0.0033333, 32.133, 617558016.0, 900.0)]
    ['0.00333', '32.1', '617,558,016', '900']
    >>> [shown_number(value, tolerance=0.09) for value in (2.7214, 25.54, 0.3, 1234.0)]
    ['About 2.7', 'About 26', 'About 0.3', 'About 1,200']
    """
    about, value = ("About ", float(f"{value:.2g}")) if tolerance >= WIDE else ("", value)
    return about + (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}")
