"""The rule that fills every tensor, and the tensors held against it."""

from __future__ import annotations

import math
from typing import Any, Literal

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import first_loss
from gpt2_teach.initialization import (
    TensorStd,
    expected_std,
    initialization_table,
    layer_and_kind,
    residual_projections,
    residual_std,
)
from gpt2_teach.model import GPT, build_gpt

TINY = GPTConfig.preset("tiny")
CHOICES: tuple[Literal["lm_head"], None] = ("lm_head", None)  # tied and untied
SIGMAS = 5.0


@pytest.fixture(scope="module")
def small() -> GPT:
    """GPT-2 small, 124M, as it starts."""
    return build_gpt(GPTConfig(), generator=0)


@pytest.fixture(scope="module")
def hf_fresh() -> GPT2LMHeadModel:
    """The pinned library's own fresh model: GPT-2's width and depth, few tokens."""
    torch.manual_seed(0)
    return GPT2LMHeadModel(GPT2Config(vocab_size=1000, n_positions=128))


# ---- the rule ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_layer", "std"), [(12, 0.00408), (24, 0.00289), (36, 0.00236), (48, 0.00204)])
def test_the_residual_std_of_the_four_sizes(n_layer: int, std: float) -> None:
    assert round(residual_std(n_layer), 5) == std
    assert residual_std(n_layer) == pytest.approx(0.02 / math.sqrt(2 * n_layer), rel=1e-14)


@pytest.mark.parametrize("n_layer", [1.5, "12", None])
def test_n_layer_must_be_a_whole_number(n_layer: Any) -> None:
    with pytest.raises(TypeError, match=r"^n_layer must be a whole number of at least 1, got "):
        residual_std(n_layer)
    with pytest.raises(TypeError, match=r"^n_layer must be"):
        expected_std("h.0.attn.c_proj.weight", n_layer)


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


# ---- the first loss ----------------------------------------------------------------------------------------


def test_the_first_loss_is_that_of_normal_logits_that_know_nothing() -> None:
    generator = torch.Generator().manual_seed(0)
    logits = torch.empty(400, 5000).normal_(std=0.8, generator=generator)
    targets = torch.randint(5000, (400,), generator=generator)
    losses = nn.functional.cross_entropy(logits, targets, reduction="none")
    assert float(losses.mean()) == pytest.approx(first_loss(5000, 0.8), abs=SIGMAS * float(losses.std()) / 20)


# ---- names -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "layer", "kind"),
    [
        ("transformer.h.11.mlp.c_fc.bias", 11, "mlp.c_fc.bias"),
        ("h.0.ln_1.weight", 0, "ln_1.weight"),
        ("transformer.wte.weight", None, "wte.weight"),
        ("lm_head.weight", None, "lm_head.weight"),
    ],
)
def test_layer_and_kind_of_a_name(name: str, layer: int | None, kind: str) -> None:
    assert layer_and_kind(name) == (layer, kind)


# ---- which matrices are scaled -----------------------------------------------------------------------------


@settings(deadline=None, derandomize=True, max_examples=15)
@given(n_layer=st.integers(1, 12))
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
        residual_projections(GPT(TINY), "c_projection")
    with pytest.raises(ValueError, match="matches no parameter"):
        residual_projections(nn.GELU())
    with pytest.raises(ValueError, match="matches no parameter"):
        initialization_table(nn.Linear(2, 2))


# ---- expected and measured ---------------------------------------------------------------------------------


def test_the_deviation_counts_standard_errors() -> None:
    def row(expected: float, measured: float, error: float) -> TensorStd:
        return TensorStd("wte.weight", None, "wte.weight", (2, 2), expected, measured, error)

    assert row(0.02, 0.023, 0.001).deviation == pytest.approx(3)
    assert row(0.02, 0.019, 0.001).deviation == pytest.approx(-1)
    assert row(0, 0, 0).deviation == 0
    assert row(0, 0.1, 0).deviation == math.inf


# ---- the library -------------------------------------------------------------------------------------------


def test_i1_the_pinned_transformers_scales_its_residual_projections(hf_fresh: GPT2LMHeadModel) -> None:
    for name, weight in residual_projections(hf_fresh).items():
        assert float(weight.detach().std()) == pytest.approx(residual_std(12), rel=0.05), name


def test_i2_position_embeddings_start_at_002_in_ours_and_in_transformers(
    small: GPT, hf_fresh: GPT2LMHeadModel
) -> None:
    for model in (small, hf_fresh):
        row = next(row for row in initialization_table(model) if row.kind == "wpe.weight")
        assert row.expected == 0.02
        assert abs(row.deviation) <= SIGMAS
