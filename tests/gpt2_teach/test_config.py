"""The five sizes of a GPT-2."""

from __future__ import annotations

from dataclasses import asdict, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpt2_teach.config import GPTConfig

FIELDS = [field.name for field in fields(GPTConfig)]


@pytest.mark.parametrize(
    ("name", "n_layer", "n_head", "n_embd"),
    [
        ("gpt2", 12, 12, 768),
        ("gpt2-medium", 24, 16, 1024),
        ("gpt2-large", 36, 20, 1280),
        ("gpt2-xl", 48, 25, 1600),
    ],
)
def test_presets_have_the_released_sizes(name: str, n_layer: int, n_head: int, n_embd: int) -> None:
    config = GPTConfig.preset(name)
    assert (config.n_layer, config.n_head, config.n_embd) == (n_layer, n_head, n_embd)
    assert (config.block_size, config.vocab_size) == (1024, 50257)


@pytest.mark.parametrize("name", ["gpt-2", "GPT2", "", None, 2])
def test_an_unknown_preset_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"^name must be one of 'gpt2', 'gpt2-medium', .*'tiny', got "):
        GPTConfig.preset(name)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [0, -1])
def test_a_size_below_1_is_refused(field: str, value: int) -> None:
    with pytest.raises(ValueError, match=rf"^{field} must be a whole number of at least 1, got {value}$"):
        GPTConfig(**{field: value})
    with pytest.raises(ValueError, match=rf"^{field} must be"):
        GPTConfig.preset("tiny", **{field: value})


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [1.5, 12.0, "12", None, True])
def test_a_size_that_is_no_whole_number_is_refused(field: str, value: int) -> None:
    with pytest.raises(TypeError, match=rf"^{field} must be a whole number of at least 1, got "):
        GPTConfig(**{field: value})


@given(n_head=st.integers(1, 40), n_embd=st.integers(1, 400))
def test_the_width_must_divide_into_heads(n_head: int, n_embd: int) -> None:
    if n_embd % n_head == 0:
        assert GPTConfig(n_head=n_head, n_embd=n_embd).n_embd == n_embd
    else:
        says = f"^n_embd must be divisible by n_head, got n_embd={n_embd} and n_head={n_head}$"
        with pytest.raises(ValueError, match=says):
            GPTConfig(n_head=n_head, n_embd=n_embd)


@pytest.mark.parametrize("small", [np.int8, np.int16, np.uint8])
def test_numpy_integers_become_whole_numbers_that_cannot_overflow(small: type) -> None:
    config = GPTConfig.preset("tiny", n_layer=small(100), n_embd=small(64))
    assert all(type(size) is int for size in asdict(config).values())
    assert config.n_residual == 200
