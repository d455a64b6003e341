"""The proof of a tie, what it saves, and the two parts of its gradient."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Literal

import pytest
import torch
from torch import nn

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import sweep_embedding_stds
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.tying import inspect_tie, split_gradient, write_shows_through

TINY = GPTConfig.preset("tiny")


IDX, TARGETS = torch.randint(256, (2, 2, 64), generator=torch.Generator().manual_seed(0))  # (B, T) each


def two_modules(width: int = 4) -> tuple[Any, Any]:
    return nn.Embedding(10, width), nn.Linear(width, 10, bias=False)


# ---- the ladder --------------------------------------------------------------------------------------------


def test_t1_equal_pointers_are_not_yet_a_tie() -> None:
    model: Any = build_gpt(TINY, tie=None)
    model.transformer.wte.weight.data = model.lm_head.weight.data
    tie = inspect_tie(model.transformer.wte, model.lm_head)
    assert (tie.equal, tie.same_pointer, tie.same_storage) == (True, True, True)
    assert not tie.same_parameter
    assert tie.parameters_saved == 0  # the optimizer has two entries
    assert tie.bytes_saved == 256 * 64 * 4  # but memory has one matrix
    assert sum(p.numel() for p in model.parameters()) == parameter_counts(TINY).untied


def test_on_the_meta_device_only_identity_shows_a_tie() -> None:
    with torch.device("meta"):
        untied: Any = build_gpt(TINY, tie=None)
        tied: Any = GPT(TINY)
    apart, together = (inspect_tie(model.transformer.wte, model.lm_head) for model in (untied, tied))
    assert (apart.same_pointer, together.same_pointer) == (True, True)
    assert apart.equal is together.equal is None
    assert (apart.same_storage, apart.same_parameter, apart.bytes_saved) == (False, False, 0)
    assert (together.same_storage, together.same_parameter) == (True, True)


def test_t1_deepcopy_splits_an_alias_and_keeps_a_tie() -> None:
    alias: Any = build_gpt(TINY, tie=None)
    alias.transformer.wte.weight.data = alias.lm_head.weight.data
    split = copy.deepcopy(alias)
    assert not inspect_tie(split.transformer.wte, split.lm_head).same_storage
    tied: Any = copy.deepcopy(GPT(TINY))
    assert inspect_tie(tied.transformer.wte, tied.lm_head).same_parameter


@pytest.mark.parametrize("other", [nn.GELU(), nn.LayerNorm(3, elementwise_affine=False), "wte"])
@pytest.mark.parametrize("function", [inspect_tie, write_shows_through])
def test_a_module_without_a_weight_parameter_is_refused(
    function: Callable[[Any, Any], Any], other: Any
) -> None:
    with pytest.raises(TypeError, match=rf"^b must be a module .*Parameter, got {type(other).__name__}$"):
        function(nn.Linear(2, 2), other)


# ---- write through one name, read through the other --------------------------------------------------------


def test_t2_a_write_through_one_name_shows_through_the_other() -> None:
    model: Any = GPT(TINY)
    with torch.no_grad():
        model.transformer.wte.weight[7, 3] = 42.0
    assert model.lm_head.weight[7, 3] == 42
    assert write_shows_through(model.transformer.wte, model.lm_head)
    assert write_shows_through(model.lm_head, model.transformer.wte)


def test_t2_a_write_does_not_show_through_a_copy() -> None:
    model: Any = build_gpt(TINY, tie=None)
    model.lm_head.weight = nn.Parameter(model.transformer.wte.weight.detach().clone())
    assert not write_shows_through(model.transformer.wte, model.lm_head)


def test_f8_a_check_between_loss_and_backward_leaves_no_trace() -> None:
    model, ids = build_gpt(GPTConfig.preset("tiny"), generator=0), torch.arange(8)[None]
    _, loss = model(ids, ids)
    assert write_shows_through(model.transformer.wte, model.lm_head)
    sweep_embedding_stds(model, [0.1], [0.1], ids, ids)
    loss.backward()
    assert model.lm_head.weight.grad is not None


@pytest.mark.parametrize("first", [0.0, 1.0, -3.5, float("nan"), float("inf")])
def test_writing_restores_the_old_value(first: float) -> None:
    wte, lm_head = two_modules()
    for module in (wte, lm_head):
        module.weight.data[0, 0] = first
    assert not write_shows_through(wte, lm_head)
    wte.weight = lm_head.weight
    before = lm_head.weight.detach().clone()
    assert write_shows_through(wte, lm_head)
    torch.testing.assert_close(lm_head.weight.detach(), before, rtol=0, atol=0, equal_nan=True)


# ---- counts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tied", "untied", "shared"),
    [
        ("gpt2", 124_439_808, 163_037_184, 38_597_376),
        ("gpt2-medium", 354_823_168, 406_286_336, 51_463_168),
        ("gpt2-large", 774_030_080, 838_359_040, 64_328_960),
        ("gpt2-xl", 1_557_611_200, 1_638_022_400, 80_411_200),
    ],
)
def test_the_counts_of_the_four_sizes_match_the_models(
    name: str, tied: int, untied: int, shared: int
) -> None:
    config = GPTConfig.preset(name)
    counts = parameter_counts(config)
    assert (counts.tied, counts.untied, counts.shared) == (tied, untied, shared)
    with torch.device("meta"):  # shapes without memory
        assert sum(p.numel() for p in GPT(config).parameters()) == tied
        assert sum(p.numel() for p in build_gpt(config, tie=None).parameters()) == untied


def test_i6_every_count_follows_its_vocabulary() -> None:
    exact, padded = parameter_counts(GPTConfig()), parameter_counts(GPTConfig(vocab_size=50304))
    assert padded.shared - exact.shared == 47 * 768
    assert padded.tied - exact.tied == 47 * 768
    assert padded.untied - exact.untied == 2 * 47 * 768


# ---- the gradient ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", ["lm_head", "wte"])
def test_t7_the_gradient_is_the_sum_of_its_two_parts_to_the_last_bit(tie: Literal["lm_head", "wte"]) -> None:
    model: Any = build_gpt(TINY, tie=tie, generator=0)
    split = split_gradient(model, IDX, TARGETS)
    assert all(p.grad is None and p.requires_grad for p in model.parameters())
    model(IDX, TARGETS)[1].backward()
    assert torch.equal(split.total, model.lm_head.weight.grad)
    read = split.input_part.norm(dim=1) > 0  # (vocab_size,): rows of tokens that occur
    assert read.nonzero().flatten().tolist() == IDX.unique().tolist()
    assert (split.output_part.norm(dim=1) > 0).all()


def test_a_gradient_splits_inside_no_grad_too_and_needs_targets() -> None:
    model = build_gpt(TINY, generator=0)
    with torch.no_grad():
        inside = split_gradient(model, IDX, TARGETS)
    assert torch.equal(inside.total, split_gradient(model, IDX, TARGETS).total)
    with pytest.raises(TypeError, match="targets must be a Tensor, got None"):
        split_gradient(model, IDX, None)  # type: ignore[arg-type]


def test_the_gradient_of_an_untied_model_cannot_be_split() -> None:
    with pytest.raises(ValueError, match=r"^model must be tied: "):
        split_gradient(build_gpt(TINY, tie=None), IDX, TARGETS)


# ---- the optimizer -----------------------------------------------------------------------------------------


def test_t7_a_step_neither_breaks_the_tie_nor_decays_the_matrix_twice() -> None:
    model: Any = build_gpt(TINY, generator=0)
    before = model.lm_head.weight.detach().clone()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.5)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)  # so that only decay changes the weights
    optimizer.step()
    assert model.transformer.wte.weight is model.lm_head.weight
    torch.testing.assert_close(model.lm_head.weight.detach(), before * (1 - 0.1 * 0.5))
