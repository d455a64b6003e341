"""Every impossible argument is refused by its name, with its value and what is allowed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from gpt2_teach.checks import as_generator, check_ids, number_between, one_of, positive_int
from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT
from tests.gpt2_teach.global_generator import untouched


def test_possible_values_come_back_as_plain_numbers() -> None:
    assert type(positive_int("n", np.int64(7))) is int
    assert type(number_between("rho", 1, 0.0, 1.0)) is float
    for choice in ("wte", None, True):
        one_of("tie", choice, ("wte", None, True))


@pytest.mark.parametrize("value", [0, np.int32(-3), 1.5, "12", None, True, math.nan, [1], torch.tensor(1)])
def test_what_is_no_whole_number_of_at_least_1_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^steps must be a whole number of at least 1, got "):
        positive_int("steps", value)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, "0.5", None, True, 1j])
def test_what_is_no_number_within_its_limits_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^rho must be a number from 0 to 1, got "):
        number_between("rho", value, 0.0, 1.0)


@pytest.mark.parametrize("value", ["WTE", 0, 1, False, "", torch.ones(2), ["wte"]])
def test_what_is_not_among_the_choices_is_refused_with_all_of_them(value: object) -> None:
    with pytest.raises(ValueError, match=r"^tie must be one of 'wte', None, True, got "):
        one_of("tie", value, ("wte", None, True))


@pytest.fixture(scope="module")
def model() -> GPT:
    return GPT(GPTConfig(block_size=3, vocab_size=10, n_layer=1, n_head=1, n_embd=2))


GOOD = torch.tensor([[0, 9, 5]])


@pytest.mark.parametrize("idx", [GOOD, GOOD.int()])
def test_ids_from_first_to_last_token_and_up_to_the_block_are_accepted(model: GPT, idx: Tensor) -> None:
    check_ids(model, idx, idx.long())


def test_ids_on_the_meta_device_are_judged_by_their_shape_alone() -> None:
    with torch.device("meta"):
        model = GPT(GPTConfig(block_size=3, vocab_size=10, n_layer=1, n_head=1, n_embd=2))
    check_ids(model, GOOD.to("meta"), None)
    with pytest.raises(ValueError, match="block_size allows at most 3"):
        check_ids(model, torch.zeros(2, 4, dtype=torch.int64, device="meta"), None)


@pytest.mark.parametrize(
    ("ids", "error", "says"),
    [
        ([[1, 2]], TypeError, "torch.Tensor of token ids, got list"),
        (torch.ones(1, 2), TypeError, "got torch.float32"),
        (torch.ones(1, 2, dtype=torch.bool), TypeError, "got torch.bool"),
        (torch.tensor(3), ValueError, r"shape \(B, T\).*got \(\)"),
        (torch.tensor([1, 2]), ValueError, r"shape \(B, T\).*got \(2,\)"),
        (torch.ones(2, 0, dtype=torch.int64), ValueError, r"got \(2, 0\)"),
        (torch.ones(1, 4, dtype=torch.int64), ValueError, "4 tokens per row; block_size allows at most 3"),
        (torch.tensor([[3, 10]]), ValueError, "vocab_size - 1 = 9, got 3 to 10"),
        (torch.tensor([[-1, 5]]), ValueError, "vocab_size - 1 = 9, got -1 to 5"),
        (GOOD.to("meta"), ValueError, "on the model's device, cpu, got meta"),
    ],
)
def test_ids_that_do_not_fit_the_model_are_refused(
    model: GPT, ids: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=f"^idx .*{says}"):
        check_ids(model, ids, None)
    with pytest.raises(error, match=f"^targets .*{says}"):
        check_ids(model, GOOD, ids)


def test_targets_of_another_shape_are_refused(model: GPT) -> None:
    with pytest.raises(ValueError, match=r"^targets must have idx's shape, \(1, 3\), got \(1, 2\)$"):
        check_ids(model, GOOD, GOOD[:, :2])


def test_a_generator_is_used_as_it_is_and_a_seed_makes_a_fresh_one() -> None:
    generator = torch.Generator()
    assert as_generator("generator", generator) is generator
    with untouched():
        first, again, other = (
            torch.empty(9).normal_(generator=as_generator("generator", seed)) for seed in (5, np.int64(5), 6)
        )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("value", [None, 1.0, "0", True, -1, 2**63])
def test_what_is_neither_generator_nor_seed_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^generator must be a torch.Generator or .* got "):
        as_generator("generator", value)
