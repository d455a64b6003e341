"""The walk: every step drawn, in bounded memory, and spread as the law says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from gpt2_teach.standard_error import std_error
from gpt2_teach.walk import random_walk, walk_path, walk_std
from tests.gpt2_teach.global_generator import Draws, untouched


@pytest.mark.parametrize("n", [1, 32, 33, 1000])
def test_every_step_drawn_is_added_once(n: int) -> None:
    with Draws(ones=True):
        plain, scaled = random_walk(n, 4, generator=0), random_walk(n, 4, scaled=True, generator=0)
        correlated = random_walk(n, 4, rho=0.25, generator=0)
    assert torch.equal(plain, torch.full((4,), float(n)))
    torch.testing.assert_close(scaled, torch.full((4,), math.sqrt(n)))
    torch.testing.assert_close(correlated, torch.full((4,), n * (math.sqrt(0.75) + 0.5)))


def test_every_step_is_drawn_and_memory_does_not_grow_with_their_number() -> None:
    with Draws() as draws:
        random_walk(10_000, 48, generator=0)
    assert draws.count == 10_000 * 48
    assert draws.largest <= 100 * 48


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    n=st.integers(1, 600),
    rho=st.just(0.0) | st.floats(0, 1),
    scaled=st.booleans(),
    seed=st.integers(0, 2**63 - 1),
)
def test_the_spread_of_any_walk_follows_the_law(n: int, rho: float, scaled: bool, seed: int) -> None:
    walk, law = (
        random_walk(n, 4000, scaled=scaled, rho=rho, generator=seed),
        walk_std(n, scaled=scaled, rho=rho),
    )
    assert abs(float(walk.mean())) <= 5 * law / math.sqrt(4000)
    assert abs(float(walk.std()) - law) <= 5 * std_error(law, 4000)


def test_the_chapters_example_lies_within_the_standard_error_of_its_law() -> None:
    assert abs(9.8059 - walk_std(100)) < std_error(walk_std(100), 768)
    assert abs(1.0004 - walk_std(100, scaled=True)) < std_error(1.0, 768)


def test_i5_the_law_gives_a_standard_deviation_and_not_a_variance() -> None:
    assert walk_std(100) == 10
    assert walk_std(100, scaled=True) == 1
    assert walk_std(100, rho=1.0) == 100


def test_the_standard_error_is_the_spread_of_many_estimates() -> None:
    samples = torch.empty(4000, 50).normal_(generator=torch.Generator().manual_seed(2)) * 3  # 4000 estimates
    expected = std_error(3.0, 50)
    assert float(samples.std(dim=1).std()) == pytest.approx(expected, rel=0.05)
    assert std_error(10, 768) == pytest.approx(10 / math.sqrt(2 * 767))


@pytest.mark.parametrize("scaled", [False, True])
def test_the_path_ends_where_the_walk_of_the_same_seed_ends(scaled: bool) -> None:
    path = walk_path(200, 64, scaled=scaled, generator=7)
    assert path.shape == (201, 64)
    assert torch.equal(path[0], torch.zeros(64))
    torch.testing.assert_close(
        path[-1], random_walk(200, 64, scaled=scaled, generator=7), rtol=1e-4, atol=1e-4
    )


@pytest.mark.parametrize("walk", [random_walk, walk_path])
def test_a_seed_fixes_the_walk_and_leaves_the_global_generator_alone(walk: Callable[..., Tensor]) -> None:
    with untouched():
        first, again, other = (walk(50, generator=seed) for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 0),
        ("n", 1.5),
        ("n", True),
        ("width", 0),
        ("scaled", None),
        ("generator", None),
        ("generator", -1),
    ],
)
@pytest.mark.parametrize("walk", [random_walk, walk_path])
def test_an_impossible_walk_is_refused_by_the_arguments_name(
    walk: Callable[..., Tensor], name: str, value: Any
) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{name} must be .* got {value}"):
        walk(**(dict(n=10, generator=0) | {name: value}))


@pytest.mark.parametrize("rho", [-0.1, 1.1, math.nan, "0"])
def test_an_impossible_correlation_is_refused(rho: Any) -> None:
    for function in (walk_std, lambda n, rho: random_walk(n, rho=rho, generator=0)):
        with pytest.raises((TypeError, ValueError), match=r"^rho must be a number from 0 to 1"):
            function(10, rho=rho)


@pytest.mark.parametrize(
    ("name", "value"), [("std", -1.0), ("std", math.nan), ("samples", 1), ("samples", 2.5)]
)
def test_an_impossible_standard_error_is_refused(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{name} must be"):
        std_error(**({"std": 1.0, "samples": 10} | {name: value}))
