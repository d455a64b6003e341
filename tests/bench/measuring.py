"""Measures the median times of functions that run in turn, and formats a measurement for the table."""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable
from typing import Any, NamedTuple

RUNS = 11
UNITS = {"ms": 1e-3, "s": 1.0, "KB": 1e3, "GB": 1e9}


class Line(NamedTuple):
    """A measurement in seconds or bytes."""

    what: str
    unit: str
    ours: float
    limit: float  # the most that the ratio to the peer may be; without a peer, the amount in the unit
    peer: str = ""
    theirs: float | None = None

    def cells(self) -> list[str]:
        """Format the line for the table."""
        ours, theirs = (
            f"{value / UNITS[self.unit]:,.3g} {self.unit}" if value else ""
            for value in (self.ours, self.theirs)
        )
        if self.theirs is None:
            return [self.what, "", ours, "", "", f"{self.limit:g} {self.unit}"]
        return [self.what, self.peer, ours, theirs, f"{self.ours / self.theirs:.2f}", f"{self.limit:g}"]


def median_times(*functions: Callable[[], Any], runs: int = RUNS) -> list[float]:
    """Return each function's median seconds after a warm-up, run in turn so that noise affects all alike."""
    times = [[timeit.timeit(function, number=1) for function in functions] for _ in range(runs + 1)]
    return [statistics.median(measured) for measured in zip(*times[1:], strict=True)]
