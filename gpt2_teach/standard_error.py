"""The standard error of an estimated standard deviation, used to judge the book's measurements."""

import math

from gpt2_teach.checks import number_between, positive_int


def std_error(std: float, samples: int) -> float:
    """Return the standard error of a std estimated from `samples` normal values: std / sqrt(2 (samples - 1)).

    The result has the units of `std`. Raises ValueError if `std` is negative or `samples` is below 2.

    >>> round(std_error(10, 768), 2)
    0.26
    """
    std = number_between("std", std, 0.0, math.inf)
    samples = positive_int("samples", samples)
    if samples < 2:
        raise ValueError("samples must be at least 2, got 1: a single value has no spread")
    return std / (2 * (samples - 1)) ** 0.5
