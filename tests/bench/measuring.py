"""A line of the table of costs, and medians of what is run in turn."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from costs.costs_file import Line

RUNS = 11


def in_turn(*works: Callable[[], Any], runs: int = RUNS) -> list[float]:
    """Median seconds of each: once to warm up, then one after the other, so that all meet the same noise."""
    times: list[list[float]] = [[] for _ in works]
    for run in range(runs + 1):
        for work, kept in zip(works, times, strict=True):
            start = time.perf_counter()
            result = work()
            elapsed = time.perf_counter() - start
            del result
            if run:
                kept.append(elapsed)
    return [statistics.median(kept) for kept in times]


def digits(value: float, places: int = 3) -> float:
    """The value with three significant digits, as it is shown and kept."""
    return float(f"{value:.{places}g}")


def compare(what: str, peer: str, ours: float, theirs: float, target: float, unit: str = "ms") -> Line:
    """A line from two measured values, in seconds, or in bytes."""
    scale = {"ms": 1e3, "s": 1.0, "KB": 1e-3}[unit]
    return Line(
        what=what,
        peer=peer,
        unit=unit,
        ours=digits(ours * scale),
        theirs=digits(theirs * scale),
        ratio=digits(ours / theirs),
        target=target,
    )
