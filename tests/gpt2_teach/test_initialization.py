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
    INIT_STD,
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


@given(st.integers(1, 10**6))
def test_all_residual_additions_together_have_the_variance_of_one(n_layer: int) -> None:
    assert 2 * n_layer * residual_std(n_layer) ** 2 == pytest.approx(INIT_STD**2)


@pytest.mark.parametrize("n_layer", [0, -1])
def test_no_layers_have_no_residual_std(n_layer: int) -> None:
    with pytest.raises(ValueError, match=rf"^n_layer must be a whole number of at least 1, got {n_layer}$"):
        residual_std(n_layer)


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


def test_the_first_loss_of_equal_logits_is_the_logarithm_of_the_vocabulary() -> None:
    assert first_loss(50257, 0.0) == pytest.approx(math.log(50257))
    assert first_loss(50257, 768**0.5 * 0.02) == pytest.approx(10.825 + 768 * 0.02**2 / 2, abs=5e-4)


def test_the_first_loss_is_that_of_normal_logits_that_know_nothing() -> None:
    generator = torch.Generator().manual_seed(0)
    logits = torch.empty(400, 5000).normal_(std=0.8, generator=generator)
    targets = torch.randint(5000, (400,), generator=generator)
    losses = nn.functional.cross_entropy(logits, targets, reduction="none")
    assert float(losses.mean()) == pytest.approx(first_loss(5000, 0.8), abs=SIGMAS * float(losses.std()) / 20)


@pytest.mark.parametrize(
    ("vocab_size", "logit_std", "error", "says"),
    [
        (0, 0.5, ValueError, "^vocab_size must be a whole number of at least 1, got 0"),
        (1.5, 0.5, TypeError, "^vocab_size must be"),
        (10, -0.1, ValueError, "^logit_std must be a number from 0 to inf, got -0.1"),
        (10, math.nan, ValueError, "^logit_std must be"),
        (10, "0", TypeError, "^logit_std must be"),
    ],
)
def test_an_impossible_first_loss_is_refused(
    vocab_size: int, logit_std: float, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        first_loss(vocab_size, logit_std)


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


def test_i4_the_marker_is_on_the_modules_that_the_names_select() -> None:
    model = GPT(TINY)
    marked = [
        f"{name}.weight" for name, module in model.named_modules() if hasattr(module, "NANOGPT_SCALE_INIT")
    ]
    assert marked == list(residual_projections(model))
    parameters = dict(model.named_parameters())
    assert all(parameters[name] is weight for name, weight in residual_projections(model).items())


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


def test_cross_attention_and_biases_are_no_residual_projections() -> None:
    model = nn.ModuleDict({"crossattention": nn.ModuleDict({"c_proj": nn.Linear(2, 2)})})
    with pytest.raises(ValueError, match="matches no parameter"):
        residual_projections(model)


# ---- expected and measured ---------------------------------------------------------------------------------


def test_every_tensor_of_gpt2_small_has_the_std_of_the_rule(small: GPT) -> None:
    rows = initialization_table(small)
    assert len(rows) == 148
    for row in rows:
        assert abs(row.deviation) <= SIGMAS, row
        assert row.expected == expected_std(row.name, 12)


def test_every_matrix_of_gpt2_small_is_normal_about_zero(small: GPT) -> None:
    for row in initialization_table(small):
        values = small.get_parameter(row.name).detach()
        if row.expected:
            count = values.numel()
            assert abs(float(values.mean(dtype=torch.float64))) <= SIGMAS * row.expected / math.sqrt(count), (
                row
            )
            within = math.erf(1 / math.sqrt(2))  # share of a normal within one std
            found = float((values.abs() < row.expected).double().mean())
            assert abs(found - within) <= SIGMAS * math.sqrt(within * (1 - within) / count), row
        else:
            assert torch.equal(values, torch.full_like(values, float(row.kind.endswith("weight")))), row


def test_the_rows_stand_in_layer_order_and_know_their_layer(small: GPT) -> None:
    rows = initialization_table(small)
    assert [row.name for row in rows] == [name for name, _ in small.named_parameters()]
    assert [row.layer for row in rows] == [None] * 2 + [i for i in range(12) for _ in range(12)] + [None] * 2
    first, last = rows[0], rows[-1]
    assert (first.kind, first.shape, last.kind) == ("wte.weight", (50257, 768), "ln_f.bias")


def test_a_shared_matrix_is_one_row_and_two_matrices_are_two() -> None:
    tied, untied = (initialization_table(build_gpt(TINY, tie=tie)) for tie in CHOICES)
    assert len(untied) == len(tied) + 1
    assert untied[-1].name == "lm_head.weight"


def test_a_model_left_without_scaling_is_seen() -> None:
    rows = initialization_table(build_gpt(TINY, residual_scaling=False, generator=0))
    off = {row.kind for row in rows if abs(row.deviation) > SIGMAS}
    assert off == {"attn.c_proj.weight", "mlp.c_proj.weight"}


def test_pytorchs_defaults_are_seen() -> None:
    rows = initialization_table(build_gpt(GPTConfig.preset("tiny", n_embd=128), init="pytorch", generator=0))
    off = {row.kind for row in rows if row.name.endswith("weight") and abs(row.deviation) > SIGMAS}
    assert off == {
        f"{kind}.weight" for kind in ("wte", "wpe", "attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")
    }


def test_the_deviation_counts_standard_errors() -> None:
    def row(expected: float, measured: float, error: float) -> TensorStd:
        return TensorStd("wte.weight", None, "wte.weight", (2, 2), expected, measured, error)

    assert row(0.02, 0.023, 0.001).deviation == pytest.approx(3)
    assert row(0.02, 0.019, 0.001).deviation == pytest.approx(-1)
    assert row(0, 0, 0).deviation == 0
    assert row(0, 0.1, 0).deviation == math.inf


def test_the_error_is_the_spread_of_the_measured_std_over_many_seeds() -> None:
    deviations = torch.tensor(
        [
            row.deviation
            for seed in range(10)
            for row in initialization_table(build_gpt(TINY, generator=seed))
            if row.expected
        ]
    )
    assert abs(float(deviations.mean())) < SIGMAS / math.sqrt(len(deviations))
    assert abs(float(deviations.std()) - 1) < SIGMAS / math.sqrt(2 * len(deviations))


@settings(deadline=None, derandomize=True, max_examples=25)
@given(
    n_layer=st.integers(1, 3),
    n_head=st.integers(1, 3),
    head=st.integers(1, 5),
    vocab_size=st.integers(1, 20),
    block_size=st.integers(1, 9),
)
def test_any_model_has_a_row_for_each_parameter(
    n_layer: int, n_head: int, head: int, vocab_size: int, block_size: int
) -> None:
    model = build_gpt(GPTConfig(block_size, vocab_size, n_layer, n_head, n_head * head), generator=0)
    rows = initialization_table(model)
    assert {row.name: row.shape for row in rows} == {n: tuple(p.shape) for n, p in model.named_parameters()}
    assert all(math.isfinite(row.measured) for row in rows)
    assert all(row.error > 0 or row.measured == 0 for row in rows)


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


def test_i7_the_table_holds_for_hugging_faces_model(hf_fresh: GPT2LMHeadModel) -> None:
    rows = {row.kind: row for row in initialization_table(hf_fresh) if row.layer in (None, 11)}
    assert all(abs(row.deviation) <= SIGMAS for row in rows.values())
    assert rows["attn.c_attn.weight"].shape == (768, 2304)  # (in, out)
    assert len(initialization_table(hf_fresh)) == 148


def test_i7_our_linear_holds_out_by_in(small: GPT) -> None:
    shapes = {row.kind: row.shape for row in initialization_table(small)}
    assert shapes["attn.c_attn.weight"] == (2304, 768)
    assert shapes["mlp.c_proj.weight"] == (768, 3072)


@pytest.mark.parametrize("name", ["wte.weight", "h.0.ln_1.weight", "h.0.mlp.c_proj.weight"])
@pytest.mark.parametrize("wrong", [0, 1.5, None, "3"])
def test_expected_std_refuses_an_impossible_depth_whatever_the_name(name: str, wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="n_layer must be a whole number of at least 1"):
        expected_std(name, wrong)
