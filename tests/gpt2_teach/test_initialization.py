"""The rule that fills every tensor, and the tensors held against it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from torch import nn
from transformers import GPT2LMHeadModel

from gpt2_teach.config import GPTConfig
from gpt2_teach.initialization import (
    expected_std,
    initialization_table,
    residual_projections,
    residual_std,
)
from gpt2_teach.model import GPT, build_gpt
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
