"""Measures the median times of functions that run in turn, and makes lines for the table of costs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from costs.costs_file import Line

RUNS = 11


def median_times(*functions: Callable[[], Any], runs: int = RUNS) -> list[float]:
    """Return each function's median seconds after a warm-up, run in turn so that noise affects all alike."""
    times: list[list[float]] = [[] for _ in functions]
    for run in range(runs + 1):
        for function, measured in zip(functions, times, strict=True):
            start = time.perf_counter()
            result = function()
            elapsed = time.perf_counter() - start
            del result
            if run:
                measured.append(elapsed)
    return [statistics.median(measured) for measured in times]


def round_digits(value: float, digits: int = 3) -> float:
    """Round to significant digits."""
    return float(f"{value:.{digits}g}")


def compare(what: str, peer: str, ours: float, theirs: float, target: float, unit: str = "ms") -> Line:
    """Make a line from two measured values in seconds or in bytes."""
    scale = {"ms": 1e3, "s": 1.0, "KB": 1e-3}[unit]
    return Line(
        what=what,
        peer=peer,
        unit=unit,
        ours=round_digits(ours * scale),
        theirs=round_digits(theirs * scale),
        ratio=round_digits(ours / theirs),
        target=target,
    )
