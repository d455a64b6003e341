"""The five sizes of a GPT-2."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pytest

from gpt2_teach.config import GPTConfig


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("gpt2", (12, 12, 768)),
        ("gpt2-medium", (24, 16, 1024)),
        ("gpt2-large", (36, 20, 1280)),
        ("gpt2-xl", (48, 25, 1600)),
    ],
)
def test_presets_have_the_released_sizes(name: str, sizes: tuple[int, int, int]) -> None:
    config = GPTConfig.preset(name)
    assert (config.n_layer, config.n_head, config.n_embd) == sizes
    assert (config.block_size, config.vocab_size) == (1024, 50257)


@pytest.mark.parametrize("name", ["gpt-2", "GPT2", "", None, 2])
def test_an_unknown_preset_is_refused_with_the_known_ones(name: Any) -> None:
    with pytest.raises(ValueError, match=r"^name must be one of 'gpt2', 'gpt2-medium', .*'tiny', got "):
        GPTConfig.preset(name)


@pytest.mark.parametrize("field", [field.name for field in fields(GPTConfig)])
@pytest.mark.parametrize("value", [0, -1, 1.5, "12", None, True])
def test_a_size_that_is_no_whole_number_of_at_least_1_is_refused(field: str, value: Any) -> None:
    with pytest.raises(
        (TypeError, ValueError), match=rf"^{field} must be a whole number of at least 1, got "
    ):
        GPTConfig.preset("tiny", **{field: value})


def test_the_width_must_divide_into_heads() -> None:
    assert GPTConfig(n_head=7, n_embd=21).n_embd == 21
    with pytest.raises(ValueError, match="divisible by n_head, got n_embd=20 and n_head=7"):
        GPTConfig(n_head=7, n_embd=20)


@pytest.mark.parametrize("small", [np.int8, np.uint8])
def test_numpy_integers_become_whole_numbers_that_cannot_overflow(small: type) -> None:
    config = GPTConfig.preset("tiny", n_layer=small(100), n_embd=small(64))
    assert all(type(size) is int for size in asdict(config).values())
    assert config.n_residual == 200
