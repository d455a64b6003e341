"""The prediction beside the measurement: within 5 % at every depth, and after every addition."""

from __future__ import annotations

from statistics import mean
from typing import Any

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import build_gpt
from gpt2_teach.stream import Stream, measure_stream, predict_stream, sweep_depths

DEPTHS = [1, 2, 6, 12, 24, 48]
NARROW = GPTConfig(vocab_size=512, block_size=32)  # GPT-2's width and depth, with fewer tokens


def test_i3_the_final_size_is_as_predicted_and_scaling_makes_it_independent_of_depth() -> None:
    sweep = sweep_depths(NARROW, DEPTHS, tokens=32, generator=0)
    scaled, unscaled = (dict(zip(DEPTHS, ends, strict=True)) for ends in (sweep.scaled, sweep.unscaled))
    for depth in DEPTHS:
        for choice, measured in ((True, scaled), (False, unscaled)):
            predicted = predict_stream(GPTConfig(n_layer=depth), tokens=32, residual_scaling=choice).std[-1]
            assert predicted == pytest.approx(measured[depth], rel=0.05), f"{depth} layers"
    assert scaled[48] == pytest.approx(scaled[6], rel=0.15)
    assert unscaled[48] > 2.5 * unscaled[6]
    assert 0.25 < scaled[12] < 0.33  # and it is not one


@pytest.fixture(scope="module", params=[True, False], ids=["scaled", "unscaled"])
def twelve_layers(request: pytest.FixtureRequest) -> tuple[bool, list[Stream]]:
    """A 12-layer model of GPT-2's width on distinct random tokens, over several seeds."""
    streams = []
    for seed in range(2):
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
    ("name", "value"),
    [("tokens", 1), ("tokens", 2.5), ("residual_scaling", "no"), ("std", 0.0), ("std", 1.5), ("std", "0.02")],
)
def test_an_impossible_prediction_is_refused_by_the_arguments_name(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{name} must "):
        predict_stream(GPTConfig(), **{name: value})
