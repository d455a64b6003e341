"""Argument checks. Each error names the argument, its value and the allowed values."""

from __future__ import annotations

import numbers
from typing import TypeGuard, TypeVar

T = TypeVar("T")


def is_number(value: object) -> TypeGuard[float]:
    """Return whether `value` is a real number; True and False are none here."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def positive_int(name: str, value: object) -> int:
    """Return `value` as an `int`, or raise if it is not a whole number of at least 1."""
    allowed = f"{name} must be a whole number of at least 1"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):  # numpy's integers are allowed
        raise TypeError(f"{allowed}, got {value!r} ({type(value).__name__})")
    whole = int(value)
    if whole < 1:
        raise ValueError(f"{allowed}, got {value!r}")
    return whole


def is_a(name: str, value: object, kind: type[T]) -> T:
    """Return `value`, or raise if it is not an instance of `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {value!r} ({type(value).__name__})")
    return value


def one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise unless `value` is one of `allowed`."""
    if not any(isinstance(value, type(choice)) and value == choice for choice in allowed):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def number_between(name: str, value: object, low: float, high: float) -> float:
    """Return `value` as a `float`, or raise if it is not a number from `low` to `high`."""
    allowed = f"{name} must be a number from {low:g} to {high:g}"
    if not is_number(value):
        raise TypeError(f"{allowed}, got {value!r} ({type(value).__name__})")
    if not low <= value <= high:  # also rejects nan
        raise ValueError(f"{allowed}, got {value!r}")
    return float(value)


def text(name: str, value: object) -> str:
    """Return `value`, or raise if it is not a string or is blank."""
    if not is_a(name, value, str).strip():
        raise ValueError(f"{name} must not be empty, got {value!r}")
    return str(value)
