"""What a reader can set: which values are refused, and what the others are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from explorable.controls import as_parameter


def test_numbers_that_increase_make_a_slider_and_all_else_a_choice() -> None:
    assert as_parameter("n", [1, 10, 100]).ordered
    assert as_parameter("n", range(3)).ordered
    assert as_parameter("n", np.array([0.5, 1.5])).ordered
    assert as_parameter("row", {"a": 97, "b": 98}).ordered
    assert not as_parameter("kind", ["attn", "mlp"]).ordered
    assert not as_parameter("scaled", [True, False]).ordered
    assert not as_parameter("n", [7]).ordered  # nothing to slide between


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1, 1000], ("1", "1,000")),
        ([0.001, 1.0], ("0.001", "1")),
        ([np.int64(2), np.int64(3)], ("2", "3")),
        ([True, False], ("yes", "no")),
        (["attn", "mlp"], ("attn", "mlp")),
        ({"space": 32, "a": 97}, ("space", "a")),
    ],
)
def test_each_value_is_shown_as_a_reader_would_write_it(values: Any, texts: tuple[str, ...]) -> None:
    assert as_parameter("p", values).texts == texts


def test_a_value_is_shown_with_its_unit_and_one_step_is_not_1_steps() -> None:
    n = as_parameter("n", [1, 21, 1000], unit=("step", "steps"))
    assert n.shown == ("1 step", "21 steps", "1,000 steps")
    assert as_parameter("n", [1, 2]).shown[0] == "1"
    assert as_parameter("n", [1, 2], unit="ms").shown[0] == "1 ms"


@pytest.mark.parametrize(
    ("values", "kwargs", "error", "words"),
    [
        (5, {}, TypeError, r"^n must be a sequence of numbers or strings, or a mapping .*, got 5 \(int\)$"),
        ("abc", {}, TypeError, r"^n must be a sequence .*, got 'abc' \(str\)$"),
        ([], {}, ValueError, "it is empty$"),
        ([1, None], {}, TypeError, r"it has None \(NoneType\)$"),
        ([1, float("nan")], {}, ValueError, "it has nan, which is not finite$"),
        ([1, float("inf")], {}, ValueError, "it has inf, which is not finite$"),
        ([3, 1], {}, ValueError, r"^n must be increasing numbers, got \[3, 1\]$"),
        ([1, 1], {}, ValueError, r"^n must have a different text for each value, got \['1', '1'\]$"),
        (["a", "a"], {}, ValueError, "a different text"),
        ({1: "one"}, {}, TypeError, r"from texts to values; the texts are \[1\]$"),
        ([1, 2], {"unit": ("a", 2)}, TypeError, r"^units\['n'\] must be a string, or a pair for 1"),
        ([1, 2], {"start": 3}, ValueError, r"^start\['n'\] must be one of n's values, got 3; .* \[1, 2\]$"),
        ([1, 2], {"start": True}, ValueError, r"^start\['n'\]"),
        ([1, 2], {"unit": 3}, TypeError, r"^units\['n'\] must be a string, or a pair .*, got 3$"),
        ([1, 2], {"label": 3}, TypeError, r"^labels\['n'\] must be a str"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(
    values: Any, kwargs: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        as_parameter("n", values, **kwargs)
