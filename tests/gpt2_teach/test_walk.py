"""The walk: every step drawn, in bounded memory, and spread as the law says."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from gpt2_teach.standard_error import std_error
from gpt2_teach.walk import random_walk, walk_path, walk_std
from tests.gpt2_teach.global_generator import untouched

RANDOM_OPS = ("normal", "uniform", "rand", "bernoulli", "exponential", "cauchy", "geometric", "multinomial")


class Watch(TorchDispatchMode):
    """Sees every operation below Python: counts the random numbers drawn and the bytes alive at once."""

    def __init__(self, replace_draws_by: float | None = None) -> None:
        super().__init__()
        self.drawn = self.peak_bytes = 0
        self.replacement = replace_draws_by
        self._alive: list[ref[Tensor]] = []

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        if isinstance(out, Tensor):
            if any(word in func.__name__ for word in RANDOM_OPS):
                self.drawn += out.numel()
                if self.replacement is not None:
                    out.fill_(self.replacement)
            self._alive = [alive for alive in self._alive if alive() is not None] + [ref(out)]
            tensors = [tensor for alive in self._alive if (tensor := alive()) is not None]
            storages = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}
            self.peak_bytes = max(self.peak_bytes, sum(storages.values()))
        return out


def check_spread(values: Tensor, std: float, sigmas: float = 5.0) -> None:
    """Mean 0 and the std given, each within so many standard errors."""
    count = values.numel()
    assert abs(float(values.mean())) <= sigmas * std / math.sqrt(count)
    assert abs(float(values.std()) - std) <= sigmas * std_error(std, count)


# ---- every step is drawn, and none is kept -----------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 32, 33, 1000])
def test_every_step_drawn_is_added_once(n: int) -> None:
    with Watch(replace_draws_by=1.0):
        plain, scaled = random_walk(n, 4, generator=0), random_walk(n, 4, scaled=True, generator=0)
        correlated = random_walk(n, 4, rho=0.25, generator=0)
    assert torch.equal(plain, torch.full((4,), float(n)))
    torch.testing.assert_close(scaled, torch.full((4,), math.sqrt(n)))
    torch.testing.assert_close(correlated, torch.full((4,), n * (math.sqrt(0.75) + 0.5)))


# ---- the law -----------------------------------------------------------------------------------------------


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    n=st.integers(1, 600),
    rho=st.just(0.0) | st.floats(0, 1),
    scaled=st.booleans(),
    seed=st.integers(0, 2**63 - 1),
)
def test_the_spread_of_any_walk_follows_the_law(n: int, rho: float, scaled: bool, seed: int) -> None:
    walk = random_walk(n, 4000, scaled=scaled, rho=rho, generator=seed)
    check_spread(walk, walk_std(n, scaled=scaled, rho=rho))


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


# ---- one walk, seen step by step ---------------------------------------------------------------------------


@pytest.mark.parametrize("scaled", [False, True])
def test_the_path_ends_where_the_walk_of_the_same_seed_ends(scaled: bool) -> None:
    path = walk_path(200, 64, scaled=scaled, generator=7)
    assert path.shape == (201, 64)
    assert torch.equal(path[0], torch.zeros(64))
    torch.testing.assert_close(
        path[-1], random_walk(200, 64, scaled=scaled, generator=7), rtol=1e-4, atol=1e-4
    )


# ---- seeds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("walk", [random_walk, walk_path])
def test_a_seed_fixes_the_walk_and_leaves_the_global_generator_alone(walk: Callable[..., Tensor]) -> None:
    with untouched():
        first, again, other = (walk(50, rho=0.1, generator=seed) for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


# ---- refusals ----------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    (dict(n=0), ValueError, "^n must be a whole number of at least 1, got 0"),
    (dict(n=-5), ValueError, "^n must be .* got -5"),
    (dict(n=1.5), TypeError, "^n must be a whole number of at least 1, got 1.5"),
    (dict(n="9"), TypeError, "^n must be"),
    (dict(n=True), TypeError, "^n must be"),
    (dict(scaled=None), ValueError, "^scaled must be one of True, False, got None"),
    (dict(scaled="yes"), ValueError, "^scaled must be one of True, False, got 'yes'"),
    (dict(rho=-0.1), ValueError, "^rho must be a number from 0 to 1, got -0.1"),
    (dict(rho=1.1), ValueError, "^rho must be a number from 0 to 1, got 1.1"),
    (dict(rho=math.nan), ValueError, "^rho must be a number from 0 to 1, got nan"),
    (dict(rho="0"), TypeError, "^rho must be a number from 0 to 1, got '0'"),
]


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        *REFUSED,
        (dict(width=0), ValueError, "^width must be a whole number of at least 1, got 0"),
        (dict(width=7.5), TypeError, "^width must be"),
        (dict(generator=None), TypeError, "^generator must be a torch.Generator or a whole number"),
        (dict(generator=-1), ValueError, "^generator"),
    ],
)
@pytest.mark.parametrize("walk", [random_walk, walk_path])
def test_an_impossible_walk_is_refused(
    walk: Callable[..., Tensor], change: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        walk(**(dict(n=10, generator=0) | change))
