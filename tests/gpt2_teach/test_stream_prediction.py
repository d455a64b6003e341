"""The prediction beside the measurement: within 5 % at every depth, and after every addition."""

from __future__ import annotations

import math
from statistics import mean
from typing import Any

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import build_gpt
from gpt2_teach.stream import Stream, Sweep, measure_stream, predict_stream, sweep_depths

DEPTHS = [*range(1, 13), *range(16, 49, 4)]
SEEDS, TOKENS = 3, 32


@pytest.fixture(scope="module")
def sweeps() -> list[Sweep]:
    """GPT-2's width, all depths, over several seeds."""
    return [sweep_depths(GPTConfig(), DEPTHS, tokens=TOKENS, generator=seed) for seed in range(SEEDS)]


def test_i3_scaling_makes_the_final_size_independent_of_depth(sweeps: list[Sweep]) -> None:
    scaled = [mean(sweep.scaled[index] for sweep in sweeps) for index in range(len(DEPTHS))]
    unscaled = [mean(sweep.unscaled[index] for sweep in sweeps) for index in range(len(DEPTHS))]
    assert max(scaled[5:]) < 1.15 * min(scaled[5:])
    assert unscaled[-1] > 2.5 * unscaled[5]
    assert 0.25 < scaled[11] < 0.33  # and it is not one


@pytest.fixture(scope="module", params=[True, False], ids=["scaled", "unscaled"])
def twelve_layers(request: pytest.FixtureRequest) -> tuple[bool, list[Stream]]:
    """A 12-layer model of GPT-2's width on distinct random tokens, over several seeds."""
    streams = []
    for seed in range(4):
        generator = torch.Generator().manual_seed(seed)
        model = build_gpt(
            GPTConfig(block_size=64, vocab_size=512), residual_scaling=request.param, generator=generator
        )
        streams.append(measure_stream(model, torch.randperm(512, generator=generator)[:64][None]))
    return request.param, streams


@pytest.mark.parametrize(("what", "tolerance"), [("std", 0.05), ("update_std", 0.08)])
def test_the_prediction_holds_after_each_addition_of_twelve_layers(
    twelve_layers: tuple[bool, list[Stream]], what: str, tolerance: float
) -> None:
    scaled, streams = twelve_layers
    predicted = getattr(predict_stream(GPTConfig(), tokens=64, residual_scaling=scaled), what)
    measured = [mean(values) for values in zip(*(getattr(stream, what) for stream in streams), strict=True)]
    assert predicted == pytest.approx(measured, rel=tolerance)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (dict(tokens=1), ValueError, "^tokens must be at least 2, got 1"),
        (dict(tokens=0), ValueError, "^tokens must be a whole number of at least 1, got 0"),
        (dict(tokens=2.5), TypeError, "^tokens must be a whole number"),
        (dict(residual_scaling="no"), ValueError, "^residual_scaling must be one of True, False, got 'no'"),
        (dict(std=0.0), ValueError, "^std must be above 0 and at most 1, got 0"),
        (dict(std=-0.02), ValueError, "^std must be a number from 0 to 1, got -0.02"),
        (dict(std=1.5), ValueError, "^std must be a number from 0 to 1, got 1.5"),
        (dict(std=math.nan), ValueError, "^std must be"),
        (dict(std="0.02"), TypeError, "^std must be a number"),
    ],
)
def test_an_impossible_prediction_is_refused(
    change: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        predict_stream(GPTConfig(), **change)
