"""Standard deviations: measured in sufficient precision, and their standard error."""

import math

import torch
from torch import Tensor

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


def measured_std(values: Tensor) -> float:
    """Return the std of all `values`, computed in float32 or better, in whatever precision they are stored.

    >>> measured_std(torch.tensor([1.0, 3.0], dtype=torch.bfloat16)) - 2**0.5 < 1e-6
    True
    """
    wide = torch.promote_types(values.dtype, torch.float32)
    return float(values.detach().to(wide).std())
