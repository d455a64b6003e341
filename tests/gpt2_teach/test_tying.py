"""What proves a tie, what it saves, and how its gradient splits."""

from __future__ import annotations

import copy
from typing import Any, Literal

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.tying import inspect_tie, split_gradient, write_shows_through

TINY = GPTConfig.preset("tiny")
ANY_MODEL = settings(deadline=None, derandomize=True, max_examples=30)


@st.composite
def configs(draw: st.DrawFn) -> GPTConfig:
    """Small models of every shape."""
    n_head = draw(st.integers(1, 4))
    return GPTConfig(
        block_size=draw(st.integers(1, 24)),
        vocab_size=draw(st.integers(1, 60)),
        n_layer=draw(st.integers(1, 3)),
        n_head=n_head,
        n_embd=n_head * draw(st.integers(1, 8)),
    )


def tokens(config: GPTConfig, seed: int, rows: int = 2) -> tuple[Tensor, Tensor]:
    """Random token ids and targets, (B, T) each."""
    generator = torch.Generator().manual_seed(seed)
    idx = torch.randint(config.vocab_size, (rows, config.block_size), generator=generator)
    return idx, torch.randint(config.vocab_size, (rows, config.block_size), generator=generator)


def two_modules(width: int = 4) -> tuple[Any, Any]:
    return nn.Embedding(10, width), nn.Linear(width, 10, bias=False)


# ---- the ladder --------------------------------------------------------------------------------------------


def test_one_parameter_is_a_tie_on_every_rung() -> None:
    wte, lm_head = two_modules()
    wte.weight = lm_head.weight
    tie = inspect_tie(wte, lm_head)
    assert (tie.same_shape, tie.equal, tie.same_pointer, tie.same_storage, tie.same_parameter) == (True,) * 5
    assert (tie.parameters_saved, tie.bytes_saved) == (40, 160)


def test_equal_values_are_no_tie() -> None:
    wte, lm_head = two_modules()
    wte.weight = nn.Parameter(lm_head.weight.detach().clone())
    tie = inspect_tie(wte, lm_head)
    assert (tie.same_shape, tie.equal) == (True, True)
    assert (tie.same_pointer, tie.same_storage, tie.same_parameter) == (False,) * 3
    assert (tie.parameters_saved, tie.bytes_saved) == (0, 0)


def test_t1_equal_pointers_are_not_yet_a_tie() -> None:
    model: Any = build_gpt(TINY, tie=None)
    model.transformer.wte.weight.data = model.lm_head.weight.data
    tie = inspect_tie(model.transformer.wte, model.lm_head)
    assert (tie.equal, tie.same_pointer, tie.same_storage) == (True, True, True)
    assert not tie.same_parameter
    assert tie.parameters_saved == 0  # the optimizer holds two states
    assert tie.bytes_saved == 256 * 64 * 4  # and yet memory holds one matrix
    assert sum(p.numel() for p in model.parameters()) == parameter_counts(TINY).untied


def test_t1_deepcopy_parts_two_parameters_over_one_storage_and_keeps_a_tie() -> None:
    apparent: Any = build_gpt(TINY, tie=None)
    apparent.transformer.wte.weight.data = apparent.lm_head.weight.data
    parted = copy.deepcopy(apparent)
    assert not inspect_tie(parted.transformer.wte, parted.lm_head).same_storage
    tied: Any = copy.deepcopy(GPT(TINY))
    assert inspect_tie(tied.transformer.wte, tied.lm_head).same_parameter


@pytest.mark.parametrize("other", [nn.GELU(), nn.LayerNorm(3, elementwise_affine=False), "wte", None])
def test_what_has_no_parameter_called_weight_is_refused(other: Any) -> None:
    for function in (inspect_tie, write_shows_through):
        with pytest.raises(TypeError, match=rf"^b must be a module .*Parameter, got {type(other).__name__}$"):
            function(nn.Linear(2, 2), other)
        with pytest.raises(TypeError, match=r"^a must be a module"):
            function(other, nn.Linear(2, 2))


# ---- write through one name, read through the other --------------------------------------------------------


def test_t2_what_is_written_through_one_name_is_read_through_the_other() -> None:
    model: Any = GPT(TINY)
    with torch.no_grad():
        model.transformer.wte.weight[7, 3] = 42.0
    assert model.lm_head.weight[7, 3] == 42
    assert write_shows_through(model.transformer.wte, model.lm_head)
    assert write_shows_through(model.lm_head, model.transformer.wte)


def test_t2_copied_weights_do_not_show_what_is_written() -> None:
    model: Any = build_gpt(TINY, tie=None)
    model.lm_head.weight = nn.Parameter(model.transformer.wte.weight.detach().clone())
    assert not write_shows_through(model.transformer.wte, model.lm_head)


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
def test_the_counts_of_the_four_sizes_are_those_of_the_models(
    name: str, tied: int, untied: int, shared: int
) -> None:
    config = GPTConfig.preset(name)
    counts = parameter_counts(config)
    assert (counts.tied, counts.untied, counts.shared) == (tied, untied, shared)
    with torch.device("meta"):  # shapes without memory
        assert sum(p.numel() for p in GPT(config).parameters()) == tied
        assert sum(p.numel() for p in build_gpt(config, tie=None).parameters()) == untied


def test_t3_the_whole_counts_as_many_as_its_body_and_the_state_dict_counts_the_matrix_twice() -> None:
    model = GPT(TINY)
    counts = parameter_counts(TINY)
    body = sum(p.numel() for p in model.transformer.parameters())
    assert sum(p.numel() for p in model.parameters()) == body == counts.tied
    assert sum(t.numel() for t in model.state_dict().values()) == counts.tied + counts.shared
    assert len(model.state_dict()) == len(list(model.named_parameters())) + 1


def test_i6_every_count_follows_its_vocabulary() -> None:
    exact, padded = parameter_counts(GPTConfig()), parameter_counts(GPTConfig(vocab_size=50304))
    assert padded.shared - exact.shared == 47 * 768
    assert padded.tied - exact.tied == 47 * 768
    assert padded.untied - exact.untied == 2 * 47 * 768


# ---- the gradient ------------------------------------------------------------------------------------------


@ANY_MODEL
@given(configs(), st.sampled_from(["lm_head", "wte"]), st.integers(0, 1000))
def test_t7_the_gradient_of_any_tied_model_is_the_sum_of_its_two_parts_to_the_last_bit(
    config: GPTConfig, tie: Literal["lm_head", "wte"], seed: int
) -> None:
    model: Any = build_gpt(config, tie=tie, generator=seed)
    idx, targets = tokens(config, seed)
    split = split_gradient(model, idx, targets)
    model(idx, targets)[1].backward()
    assert torch.equal(split.total, model.lm_head.weight.grad)
    assert torch.equal(split.total, split.input_part + split.output_part)


def test_an_untied_model_has_no_shared_gradient_to_split() -> None:
    with pytest.raises(
        ValueError, match=r"^model must be tied: transformer.wte.weight and lm_head.weight are two"
    ):
        split_gradient(build_gpt(TINY, tie=None), *tokens(TINY, 0))


# ---- the optimizer -----------------------------------------------------------------------------------------


def test_t7_a_step_neither_breaks_the_tie_nor_decays_the_matrix_twice() -> None:
    model: Any = build_gpt(TINY, generator=0)
    before = model.lm_head.weight.detach().clone()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.5)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)  # so that decay alone moves anything
    optimizer.step()
    assert model.transformer.wte.weight is model.lm_head.weight
    torch.testing.assert_close(model.lm_head.weight.detach(), before * (1 - 0.1 * 0.5))
