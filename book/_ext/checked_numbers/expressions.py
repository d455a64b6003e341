"""Evaluates the ledger's expressions, which are Python over the names that this module imports and defines.

An expression has the same value at every run: whatever it samples has a fixed seed.
"""

# ruff: noqa: F401
from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np
import torch

from checked_numbers.ledger import Entry, Values, notebook_code
from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import FirstBatch, first_loss, measure_first_loss
from gpt2_teach.initialization import INIT_STD, residual_std
from gpt2_teach.model import build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.standard_error import std_error
from gpt2_teach.stream import predict_stream, sweep_depths
from gpt2_teach.walk import random_walk, walk_std

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


def evaluate(entry: Entry) -> Values:
    """Evaluate an entry's expression and its standard error.

    Raises ValueError if they are not one finite number for each number of the figure, or if the expression
    drew from PyTorch's global generator, and any exception of the expression.
    """
    before = torch.get_rng_state()
    values = np.atleast_1d(_compute(entry.expression)).astype(float)
    errors = np.full_like(values, _compute(entry.standard_error or "0"))
    if not torch.equal(before, torch.get_rng_state()):
        raise ValueError("it draws from the global generator; give it a generator or a seed")
    if len(values) != len(entry.numbers) or not np.isfinite([values, errors]).all():
        raise ValueError(f"it must give {len(entry.numbers)} finite numbers, got {values}")
    return list(zip(values.tolist(), errors.tolist(), strict=True))


@cache
def _compute(expression: str) -> Any:
    return eval(expression, globals())


@cache
def in_code(page: str, before: str) -> float:
    """Return the number right after `before` in a notebook's code, which the prose repeats.

    Raises ValueError if there is none, or if there are several that differ.
    """
    code = notebook_code(NOTEBOOKS / f"{page}.ipynb")
    found = re.findall(rf"(?<!\w){re.escape(before)}\s*(\d[\d_]*(?:\.\d+)?)", code)
    if len(numbers := {float(number) for number in found}) != 1:
        raise ValueError(f"the code of {page} must have one number after {before!r}, got {sorted(numbers)}")
    return numbers.pop()


@cache
def first_batch_keeping_wte() -> FirstBatch:
    """Measure chapter 1's first batch of GPT-2 small with PyTorch's initial values, keeping those of wte."""
    tokens = torch.randint(50257, (1, 129), generator=torch.Generator().manual_seed(0))
    model = build_gpt(GPTConfig(), init="pytorch", tie="wte", generator=0)
    return measure_first_loss(model, tokens[:, :-1], tokens[:, 1:])


@cache
def final_streams(n_layer: int) -> list[float]:
    """Return the scaled stream's std after the last block at width 768, for each of chapter 4's models."""
    return [sweep_depths(GPTConfig(), [n_layer], tokens=64, generator=seed).scaled[0] for seed in range(3)]
