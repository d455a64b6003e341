"""The rule that fills every tensor, and the tensors held against it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel

from gpt2_teach.config import GPTConfig
from gpt2_teach.histograms import layer_histograms, value_histogram
from gpt2_teach.initialization import (
    expected_std,
    initialization_table,
    residual_projections,
    residual_std,
)
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.stream import measure_stream
from tests.gpt2_teach.hugging_face import hugging_face

CONFIG = GPTConfig(vocab_size=1000, block_size=128)  # GPT-2's width and depth, few tokens


@pytest.fixture(scope="module")
def hf_fresh() -> GPT2LMHeadModel:
    """The pinned library's own fresh model."""
    return hugging_face(CONFIG)


# ---- the rule ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_layer", "std"), [(12, 0.00408), (24, 0.00289), (36, 0.00236), (48, 0.00204)])
def test_the_residual_std_of_the_four_sizes(n_layer: int, std: float) -> None:
    assert round(residual_std(n_layer), 5) == std
    assert residual_std(n_layer) == pytest.approx(0.02 / math.sqrt(2 * n_layer), rel=1e-14)


@pytest.mark.parametrize("n_layer", [0, 1.5, "12"])
@pytest.mark.parametrize("name", ["h.0.attn.c_proj.weight", "wte.weight"])
def test_n_layer_must_be_a_whole_number_whatever_the_name(name: str, n_layer: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^n_layer must be a whole number of at least 1, got "):
        expected_std(name, n_layer)


@pytest.mark.parametrize(
    ("name", "std"),
    [
        ("wte.weight", 0.02),
        ("transformer.wpe.weight", 0.02),
        ("lm_head.weight", 0.02),
        ("h.3.attn.c_attn.weight", 0.02),
        ("transformer.h.3.mlp.c_fc.weight", 0.02),
        ("h.3.attn.c_proj.weight", 0.005),
        ("transformer.h.3.mlp.c_proj.weight", 0.005),
        ("h.3.mlp.c_proj.bias", 0.0),
        ("transformer.h.3.ln_1.weight", 0.0),
        ("ln_f.weight", 0.0),
    ],
)
def test_the_rule_by_name(name: str, std: float) -> None:
    assert expected_std(name, n_layer=8) == pytest.approx(std)


# ---- which matrices are scaled -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_layer", [1, 12])
def test_i4_exactly_two_matrices_a_layer_write_to_the_stream(n_layer: int) -> None:
    config = GPTConfig.preset("tiny", n_layer=n_layer)
    found = list(residual_projections(GPT(config)))
    expected = [f"transformer.h.{i}.{part}.c_proj.weight" for i in range(n_layer) for part in ("attn", "mlp")]
    assert found == expected
    assert len(found) == config.n_residual == 2 * n_layer


def test_i7_the_projections_are_found_in_hugging_faces_conv1d_too(hf_fresh: GPT2LMHeadModel) -> None:
    found = residual_projections(hf_fresh)
    assert len(found) == 24
    assert tuple(found["transformer.h.3.mlp.c_proj.weight"].shape) == (3072, 768)  # (in, out), not (out, in)
    assert not any(isinstance(module, nn.Linear) for module in hf_fresh.transformer.modules())


def test_a_selector_that_finds_nothing_raises() -> None:
    with pytest.raises(
        ValueError, match=r"^pattern 'c_projection' matches no parameter.*transformer\.wte\.weight"
    ):
        residual_projections(GPT(GPTConfig.preset("tiny")), "c_projection")
    with pytest.raises(ValueError, match="matches no parameter"):
        residual_projections(nn.GELU())
    with pytest.raises(ValueError, match="matches no parameter"):
        initialization_table(nn.Linear(2, 2))


# ---- the library -------------------------------------------------------------------------------------------


def test_i1_the_pinned_transformers_scales_its_residual_projections(hf_fresh: GPT2LMHeadModel) -> None:
    for name, weight in residual_projections(hf_fresh).items():
        assert float(weight.detach().std()) == pytest.approx(residual_std(12), rel=0.05), name


def test_i2_and_i7_every_tensor_of_either_class_has_the_std_of_the_rule(hf_fresh: GPT2LMHeadModel) -> None:
    for model in (build_gpt(CONFIG, generator=0), hf_fresh):
        rows = {row.name: row for row in initialization_table(model)}
        assert len(rows) == 148
        assert rows["transformer.wpe.weight"].expected == 0.02
        assert all(abs(row.deviation) <= 5 for row in rows.values())


COMPILE = partial(torch.compile, backend="eager")  # the default takes seconds to import

# ---- models as they are found in practice --------------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_f5_statistics_of_half_precision_are_those_of_float32(dtype: torch.dtype) -> None:
    model = build_gpt(CONFIG, generator=0)
    before, layer = initialization_table(model), layer_histograms(model)[0][0].measured
    low = model.to(dtype)
    for row, expected in zip(initialization_table(low), before):
        assert row.measured == pytest.approx(expected.measured, rel=1e-3)
    assert layer_histograms(low)[0][0].measured == pytest.approx(layer, rel=1e-3)
    stds = measure_stream(low, torch.arange(8)[None]).std
    assert len(set(stds)) == len(stds)  # bfloat16 has only three digits


@pytest.mark.parametrize("wrap", [COMPILE, nn.DataParallel])
def test_f6_a_wrapped_model_gives_the_same_answers(wrap: Callable[..., Any]) -> None:
    model = build_gpt(GPTConfig.preset("tiny"), generator=0)
    wrapped = wrap(model)
    plain = [(row.layer, row.kind, row.deviation) for row in initialization_table(model)]
    assert [(row.layer, row.kind, row.deviation) for row in initialization_table(wrapped)] == plain
    assert len(layer_histograms(wrapped)) == 4
    assert value_histogram(wrapped, "mlp.c_proj.weight", 3).expected == residual_std(4)
    assert len(residual_projections(wrapped)) == 8


def test_f6_a_model_whose_blocks_are_compiled_gives_the_same_answers() -> None:
    model = build_gpt(GPTConfig.preset("tiny"), generator=0)
    before = [row.deviation for row in initialization_table(model)]
    for block in model.transformer.h:
        block.attn = COMPILE(block.attn)
    assert [row.deviation for row in initialization_table(model)] == before


def test_f7_cross_attention_is_scaled_as_the_library_scales_it() -> None:
    sizes: dict[str, Any] = dict(n_layer=2, n_head=4, n_embd=64, vocab_size=256, n_positions=64)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = GPT2LMHeadModel(GPT2Config(**sizes, add_cross_attention=True))
    assert max(abs(row.deviation) for row in initialization_table(model)) < 5
    assert len(residual_projections(model)) == 6
