"""What a reader can set: which values are refused, and what the others are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from explorable.controls import as_parameter


@pytest.mark.parametrize(
    ("values", "texts", "ordered"),
    [
        ([1, 1000], ("1", "1,000"), True),
        (range(2), ("0", "1"), True),
        (np.array([0.001, 1.0]), ("0.001", "1"), True),
        ({"space": 32, "a": 97}, ("space", "a"), True),
        ([7], ("7",), False),  # nothing to slide between
        ([True, False], ("yes", "no"), False),
        (["attn", "mlp"], ("attn", "mlp"), False),
    ],
)
def test_increasing_numbers_make_a_slider_and_all_else_a_choice(
    values: Any, texts: tuple[str, ...], ordered: bool
) -> None:
    parameter = as_parameter("p", values)
    assert (parameter.texts, parameter.ordered, parameter.start) == (texts, ordered, 0)


def test_a_value_is_shown_with_its_unit_and_is_plain_in_the_address() -> None:
    n = as_parameter("n", [1, 21, 1000], unit=("step", "steps"), start=21)
    assert n.shown == ("1 step", "21 steps", "1,000 steps")
    assert n.in_address == ("1", "21", "1000")
    assert n.start == 1
    assert as_parameter("row", {",": 44, "a": 97}).in_address == (",", "a")


@pytest.mark.parametrize(
    ("values", "options", "error"),
    [
        (5, {}, TypeError),
        ("abc", {}, TypeError),
        ([], {}, ValueError),
        ([1, None], {}, TypeError),
        ([1, float("nan")], {}, ValueError),
        ([3, 1], {}, ValueError),
        (["a", "a"], {}, ValueError),
        ({1: "one"}, {}, TypeError),
        ([1, 2], {"unit": ("a", 2)}, TypeError),
        ([1, 2], {"unit": 3}, TypeError),
        ([1, 2], {"label": 3}, TypeError),
        ([1, 2], {"start": 3}, ValueError),
        ([1, 2], {"start": True}, ValueError),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(
    values: Any, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"\bn\b"):
        as_parameter("n", values, **options)
