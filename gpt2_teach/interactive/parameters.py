"""What a reader can set in a demo: a parameter's values, what they are called, and where it begins."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Parameter:
    """One parameter of a drawing function, with all the values that it can take."""

    name: str  # of the drawing function's argument; also its name in the page's address
    values: tuple[Any, ...]
    texts: tuple[str, ...]  # each value as it is shown
    label: str  # what the control is called
    unit: str  # behind the value, or nothing
    start: int  # index of the value shown first
    ordered: bool  # a slider; otherwise one of a few to choose from

    def shown(self, index: int) -> str:
        """A value with its unit.

        >>> as_parameter("n", [1, 1000], unit="steps").shown(1)
        '1,000 steps'
        """
        unit = self.unit.removesuffix("s") if self.texts[index] == "1" else self.unit
        return f"{self.texts[index]} {unit}".rstrip()

    def in_address(self, index: int) -> str:
        """A value as the page's address has it: `#n=1000`."""
        return self.texts[index].replace(",", "")


def as_parameter(
    name: str, values: object, *, label: str | None = None, unit: str = "", start: object = None
) -> Parameter:
    """Look a parameter over.

    Args:
        name: the drawing function's argument.
        values: a sequence of numbers that increase, for a slider, or of different strings or truth values,
            for a choice. A mapping gives each value the text that is shown for it.
        label: what the control is called; the name if it is not given.
        unit: shown behind each value.
        start: the value shown first; the first one if it is not given.

    Raises:
        TypeError, ValueError: an argument is not among these.

    >>> as_parameter("n", [1, 10, 100]).ordered, as_parameter("kind", {"MLP": "mlp"}).ordered
    (True, False)
    """
    for argument, text in ((f"labels[{name!r}]", label), (f"units[{name!r}]", unit)):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{argument} must be a string, got {text!r} ({type(text).__name__})")
    listed, texts = _values_and_texts(name, values)
    if start is not None and not any(_same(start, value) for value in listed):
        raise ValueError(f"start[{name!r}] must be one of {name}'s values, got {start!r}; they are {listed}")
    first = 0 if start is None else next(i for i, value in enumerate(listed) if _same(start, value))
    ordered = len(listed) > 1 and all(_is_number(value) for value in listed)
    if ordered and not all(low < high for low, high in pairwise(listed)):
        raise ValueError(f"{name} must be numbers that increase, got {listed}")
    return Parameter(name, tuple(listed), tuple(texts), label or name, unit, first, ordered)


def _values_and_texts(name: str, values: object) -> tuple[list[Any], list[str]]:
    allowed = f"{name} must be a sequence of numbers or strings, or a mapping from shown texts to values"
    if isinstance(values, Mapping):
        texts, listed = [str(text) for text in values], list(values.values())
    elif isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{allowed}, got {values!r} ({type(values).__name__})")
    else:
        listed = list(values)
        texts = [_text(value) for value in listed]
    if not listed:
        raise ValueError(f"{allowed}; it holds no value")
    for value in listed:
        if not (isinstance(value, str | bool) or _is_number(value)):
            raise TypeError(f"{allowed}; it holds {value!r} ({type(value).__name__})")
        if _is_number(value) and not math.isfinite(value):
            raise ValueError(f"{allowed}; it holds {value!r}, which is not finite")
    if len(set(texts)) < len(texts):
        raise ValueError(f"{name} must hold different values, got {texts}")
    return listed, texts


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _same(a: object, b: object) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)  # True is not the number 1 here


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return f"{int(value):,}"
    return f"{float(value):,g}" if _is_number(value) else str(value)
