"""Functions that expressions in the ledger call, for measurements that take more than one line.

Every function uses a fixed seed, so that a measurement has the same value at every run, and runs once. None
keeps a model in memory.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from statistics import fmean, stdev

import torch

from checked_numbers.prose_pages import notebook_code
from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import FirstBatch, measure_first_loss
from gpt2_teach.model import build_gpt
from gpt2_teach.stream import sweep_depths

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


@cache
def in_code(page: str, before: str) -> float:
    """Return the number right after `before` in a notebook's code, which the prose repeats.

    Raises ValueError if there is none, or if there are several that differ.
    """
    source = notebook_code(NOTEBOOKS / f"{page}.ipynb")
    found = re.findall(rf"(?<!\w){re.escape(before)}\s*(\d[\d_]*(?:\.\d+)?)", source)
    numbers = {float(number) for number in found}
    if len(numbers) != 1:
        raise ValueError(
            f"the code of {page} must have one number after {before!r}, got {sorted(numbers) or 'none'}"
        )
    return numbers.pop()


@cache
def first_batch_keeping_wte() -> FirstBatch:
    """Measure chapter 1's first batch of GPT-2 small with PyTorch's initial values, keeping those of wte."""
    tokens = torch.randint(50257, (1, 257), generator=torch.Generator().manual_seed(0))
    model = build_gpt(GPTConfig(), init="pytorch", tie="wte", generator=0)
    return measure_first_loss(model, tokens[:, :-1], tokens[:, 1:])


@cache
def _final_streams(n_layer: int) -> list[float]:
    return [sweep_depths(GPTConfig(), [n_layer], tokens=64, generator=seed).scaled[0] for seed in range(3)]


def final_stream_std(n_layer: int) -> float:
    """Return the scaled stream's std after the last block at width 768, the mean of chapter 4's models."""
    return fmean(_final_streams(n_layer))


def final_stream_error(n_layer: int) -> float:
    """Return the standard error of `final_stream_std`, estimated from the three models."""
    return stdev(_final_streams(n_layer)) / len(_final_streams(n_layer)) ** 0.5
