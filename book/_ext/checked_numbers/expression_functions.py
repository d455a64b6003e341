"""What the ledger measures when one line of Python does not say it; each measurement is made once.

Every function seeds itself and returns plain numbers, so that a measurement is worth the same at every run
and no model outlives it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from statistics import fmean, stdev

import torch

from checked_numbers.prose_pages import code
from gpt2_teach.config import GPTConfig
from gpt2_teach.first_batch import FirstBatch, measure_first_loss
from gpt2_teach.model import GPT
from gpt2_teach.stream_sweep import sweep_depths

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


@cache
def in_code(page: str, before: str) -> float:
    """The number right after `before` in a notebook's code: what its author chose, where prose repeats it.

    Raises ValueError if there is none, or if there are several that differ.
    """
    source = code(NOTEBOOKS / f"{page}.ipynb")
    found = re.findall(rf"(?<!\w){re.escape(before)}\s*(\d[\d_]*(?:\.\d+)?)", source)
    numbers = {float(number) for number in found}
    if len(numbers) != 1:
        raise ValueError(f"the code of {page} has {sorted(numbers) or 'no number'} after {before!r}, not one")
    return numbers.pop()


@cache
def first_batch_keeping_wte() -> FirstBatch:
    """Chapter 1's first batch of GPT-2 small with PyTorch's initial values, wte's kept."""
    tokens = torch.randint(50257, (1, 257), generator=torch.Generator().manual_seed(0))
    model = GPT(GPTConfig(), init="pytorch", tie="wte", generator=0)
    return measure_first_loss(model, tokens[:, :-1], tokens[:, 1:])


@cache
def _final_streams(n_layer: int) -> list[float]:
    return [sweep_depths(GPTConfig(), [n_layer], tokens=64, generator=seed).scaled[0] for seed in range(3)]


def final_stream_std(n_layer: int) -> float:
    """Std of the scaled stream after the last block at width 768: mean of the three models of chapter 4."""
    return fmean(_final_streams(n_layer))


def final_stream_error(n_layer: int) -> float:
    """Standard error of `final_stream_std`, from how the three models differ."""
    return stdev(_final_streams(n_layer)) / len(_final_streams(n_layer)) ** 0.5
