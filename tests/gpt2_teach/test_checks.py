"""Every impossible argument is refused by its name, with its value and what is allowed."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gpt2_teach.checks import as_generator, number_between, one_of, positive_int, token_ids


@pytest.mark.parametrize("value", [0, -1, np.int32(-3)])
def test_a_whole_number_below_1_is_refused_by_value(value: int) -> None:
    with pytest.raises(ValueError, match=rf"^steps must be a whole number of at least 1, got .*{value}"):
        positive_int("steps", value)


@pytest.mark.parametrize("value", [1.5, 1.0, "12", None, True, math.nan, [1], torch.tensor(1)])
def test_what_is_no_whole_number_is_refused_by_type(value: object) -> None:
    with pytest.raises(TypeError, match=r"^steps must be a whole number of at least 1, got ") as refusal:
        positive_int("steps", value)
    assert repr(value) in str(refusal.value)
    assert type(value).__name__ in str(refusal.value)


@given(st.floats().filter(lambda value: not 0 <= value <= 1))
def test_a_number_beyond_its_limits_or_nan_is_refused(value: float) -> None:
    with pytest.raises(
        ValueError, match=rf"^rho must be a number from 0 to 1, got {re.escape(repr(value))}$"
    ):
        number_between("rho", value, 0.0, 1.0)


@pytest.mark.parametrize("value", ["0.5", None, True, 1j, torch.tensor(0.5)])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=r"^rho must be a number from 0 to 1, got "):
        number_between("rho", value, 0.0, 1.0)


@pytest.mark.parametrize("value", ["WTE", 0, 1, False, "", torch.ones(2), ["wte"]])
def test_what_is_not_among_the_choices_is_refused_with_all_of_them(value: object) -> None:
    with pytest.raises(ValueError, match=r"^tie must be one of 'wte', None, True, got ") as refusal:
        one_of("tie", value, ("wte", None, True))
    assert repr(value) in str(refusal.value)


@pytest.mark.parametrize("dtype", [torch.int64, torch.int32])
def test_ids_from_first_to_last_token_and_up_to_the_block_are_accepted(dtype: torch.dtype) -> None:
    token_ids("idx", torch.tensor([[0, 9, 5]], dtype=dtype), vocab_size=10, block_size=3)


@pytest.mark.parametrize(
    ("ids", "error", "says"),
    [
        ([[1, 2]], TypeError, "idx must be a torch.Tensor of token ids, got list"),
        (torch.ones(1, 2), TypeError, "whole numbers .* got torch.float32"),
        (torch.ones(1, 2, dtype=torch.bool), TypeError, "whole numbers .* got torch.bool"),
        (torch.ones(1, 2, dtype=torch.uint8), TypeError, "whole numbers .* got torch.uint8"),
        (torch.tensor(3), ValueError, r"idx must have shape \(B, T\).*got \(\)"),
        (torch.tensor([1, 2]), ValueError, r"idx must have shape \(B, T\).*got \(2,\)"),
        (torch.ones(1, 1, 1, dtype=torch.int64), ValueError, r"got \(1, 1, 1\)"),
        (torch.ones(0, 2, dtype=torch.int64), ValueError, r"B and T at least 1, got \(0, 2\)"),
        (torch.ones(2, 0, dtype=torch.int64), ValueError, r"B and T at least 1, got \(2, 0\)"),
        (
            torch.ones(1, 4, dtype=torch.int64),
            ValueError,
            "idx has 4 tokens per row; block_size .* at most 3",
        ),
        (torch.tensor([[3, 10]]), ValueError, "idx must be from 0 to vocab_size - 1 = 9, got 3 to 10"),
        (torch.tensor([[-1, 5]]), ValueError, "idx must be from 0 to vocab_size - 1 = 9, got -1 to 5"),
    ],
)
def test_ids_that_fit_no_model_are_refused(ids: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        token_ids("idx", ids, vocab_size=10, block_size=3)


def test_a_generator_is_used_as_it_is_and_a_seed_makes_a_fresh_one() -> None:
    generator = torch.Generator()
    assert as_generator("generator", generator) is generator
    draws = [
        torch.empty(9).normal_(generator=as_generator("generator", seed)) for seed in (5, 5, np.int64(5), 6)
    ]
    assert torch.equal(draws[0], draws[1])
    assert torch.equal(draws[0], draws[2])
    assert not torch.equal(draws[0], draws[3])


@pytest.mark.parametrize("value", [None, 1.0, "0", True])
def test_what_is_neither_generator_nor_seed_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=r"^generator must be a torch.Generator or a whole number .* got "):
        as_generator("generator", value)
