"""The controls of a demo: the values of a parameter, their texts, and the initial value."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from explorable.arguments import is_a, is_number

MOST_RADIOS = 4  # a drop-down list if there are more choices


@dataclass(frozen=True)
class Parameter:
    """One parameter of a drawing function, with all its values."""

    name: str  # of the drawing function's argument, and in the page's address
    values: tuple[Any, ...]
    texts: tuple[str, ...]  # for each value
    shown: tuple[str, ...]  # the same, with units
    in_address: tuple[str, ...]  # the same, for the page's address: #n=1000
    label: str
    start: int  # index of the initial value
    ordered: bool  # a slider; otherwise a choice


def as_parameter(
    name: str, values: object, *, label: object = None, unit: object = "", start: object = None
) -> Parameter:
    """Check the arguments that describe a parameter, and return the parameter.

    Args:
        name: the drawing function's argument.
        values: a sequence of increasing numbers, for a slider, or of different strings or booleans, for a
            choice. A mapping gives a text to show for each value: `{"small": 12}`.
        label: the label of the control; the default is the name.
        unit: shown after each value; a pair, such as `("step", "steps")`, if it differs for 1.
        start: the initial value; the default is the first one.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> as_parameter("kind", {"MLP": "mlp"}).ordered
    False
    >>> as_parameter("n", [1, 1000], unit=("step", "steps")).shown
    ('1 step', '1,000 steps')
    """
    if not name.isidentifier():
        raise ValueError(f"a parameter's name must be an identifier, got {name!r}")
    label = is_a(f"labels[{name!r}]", name if label is None else label, str)
    units = unit if isinstance(unit, tuple) else (unit, unit)
    if len(units) != 2 or not all(isinstance(text, str) for text in units):
        raise TypeError(f"units[{name!r}] must be a string, or a pair for 1 and other values, got {unit!r}")
    texts, listed = _texts_and_values(name, values)
    ordered = len(listed) > 1 and all(is_number(value) for value in listed)
    if ordered and not all(low < high for low, high in pairwise(listed)):
        raise ValueError(f"{name} must be increasing numbers, got {listed}")
    same_type = [isinstance(value, bool) == isinstance(start, bool) for value in listed]  # True is not 1 here
    starts = [i for i, value in enumerate(listed) if value == start and same_type[i]]
    if start is not None and not starts:
        raise ValueError(f"start[{name!r}] must be one of {name}'s values, got {start!r}; they are {listed}")
    shown = tuple(f"{text} {units[text != '1']}".rstrip() for text in texts)
    in_address = tuple(
        text.replace(",", "") if is_number(value) and text == _text(value) else text
        for text, value in zip(texts, listed)
    )
    first = starts[0] if starts else 0
    return Parameter(name, tuple(listed), tuple(texts), shown, in_address, label, first, ordered)


def _texts_and_values(name: str, values: object) -> tuple[list[str], list[Any]]:
    allowed = f"{name} must be a sequence of numbers or strings, or a mapping from texts to values"
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{allowed}, got {values!r} ({type(values).__name__})")
    if isinstance(values, Mapping):
        texts, listed = list(values), list(values.values())
    else:
        listed = values.tolist() if hasattr(values, "tolist") else list(values)  # arrays and tensors
        texts = [_text(value) for value in listed]
    if not listed:
        raise ValueError(f"{allowed}; it is empty")
    for text, value in zip(texts, listed):
        if not isinstance(text, str) or not (isinstance(value, str | bool) or is_number(value)):
            raise TypeError(f"{allowed}; it has {text!r} for {value!r} ({type(value).__name__})")
        if is_number(value) and not math.isfinite(value):
            raise ValueError(f"{allowed}; it has {value!r}, which is not finite")
    if len(set(texts)) < len(texts):
        raise ValueError(f"{name} must have a different text for each value, got {texts}")
    return texts, listed


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}"
    return f"{float(value):,g}" if is_number(value) else str(value)
