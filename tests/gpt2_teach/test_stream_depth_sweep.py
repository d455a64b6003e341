"""The streams of many depths, swept block by block, against whole models."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.stream import measure_stream, sweep_depths
from tests.gpt2_teach.global_generator import untouched

TINY = GPTConfig.preset("tiny")


def whole_model(config: GPTConfig, n_layer: int, tokens: int, seed: int, scaled: bool) -> tuple[GPT, Tensor]:
    """The model and the ids that `sweep_depths` never holds together, from the same draws."""
    generator = torch.Generator().manual_seed(seed)
    wte = torch.empty(config.vocab_size, config.n_embd).normal_(std=0.02, generator=generator)
    wpe = torch.empty(tokens, config.n_embd).normal_(std=0.02, generator=generator)
    idx = torch.randint(config.vocab_size, (tokens,), generator=generator)
    model: Any = GPT(replace(config, n_layer=n_layer, block_size=tokens))
    one = replace(config, n_layer=1, vocab_size=1, block_size=1)
    with torch.no_grad():
        model.transformer.wte.weight.copy_(wte)
        model.transformer.wpe.weight.copy_(wpe)
        for block in model.transformer.h:
            source: Any = build_gpt(one, residual_scaling=False, generator=generator)
            block.load_state_dict(source.transformer.h[0].state_dict())
            if scaled:
                for projection in (block.attn.c_proj, block.mlp.c_proj):
                    projection.weight.mul_((2 * n_layer) ** -0.5)
    return model, idx[None]


@pytest.mark.parametrize("scaled", [True, False])
def test_the_sweep_measures_what_whole_models_of_the_same_draws_show(scaled: bool) -> None:
    depths = [6, 1, 3]
    sweep = sweep_depths(TINY, depths, tokens=32, generator=5)
    assert sweep.depths == depths
    paths, ends = (sweep.scaled_paths, sweep.scaled) if scaled else (sweep.unscaled_paths, sweep.unscaled)
    for depth, path, end in zip(depths, paths, ends, strict=True):
        model, idx = whole_model(TINY, depth, 32, seed=5, scaled=scaled)
        assert path == pytest.approx(measure_stream(model, idx).std, rel=1e-4)  # after every addition
        assert end == path[-1]


def test_a_seed_fixes_the_sweep_and_leaves_the_global_generator_alone() -> None:
    with untouched():
        first, again, other = (sweep_depths(TINY, [1, 2], generator=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert torch.is_grad_enabled()


def test_the_sweep_never_holds_two_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: weakref.WeakSet[nn.Module] = weakref.WeakSet()
    most = []
    build = GPT.__init__

    def counted(self: GPT, config: GPTConfig) -> None:
        build(self, config)
        alive.add(self)
        most.append(len(alive))

    monkeypatch.setattr(GPT, "__init__", counted)
    sweep_depths(TINY, [6], tokens=8, generator=0)
    assert max(most) <= 2  # the one that is measured and the one that takes its place


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("depths", []),
        ("depths", [0]),
        ("depths", [1, 1.5]),
        ("tokens", 0),
        ("tokens", 65),
        ("generator", None),
    ],
)
def test_an_impossible_sweep_is_refused_by_the_arguments_name(name: str, value: Any) -> None:
    arguments: dict[str, Any] = {"depths": [1], "generator": 0, name: value}
    with pytest.raises((TypeError, ValueError), match=f"^{name} must "):
        sweep_depths(TINY, **arguments)
