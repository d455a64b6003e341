"""Computes what the ledger's expressions are worth, and says which printed figures disagree.

An expression is Python over the public names of `gpt2_teach`'s modules, `torch`, `math`, `np` and the book's
`measurements`. It must be worth the same at every run: whoever draws does so from a generator of their own.
"""

from __future__ import annotations

import ast
import json
import math
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch

import gpt2_teach
from checked_figures import measurements
from checked_figures.figures import Number
from checked_figures.ledger import Entry

STANDARD_ERRORS = 4  # a true figure lies further off once in 16,000 times
NO_VALUES = {"demos", "plots"}  # what these hold is shown, not computed with


@dataclass(frozen=True)
class Value:
    """What an entry's expression is worth; one number for each number of the figure."""

    values: tuple[float, ...]
    errors: tuple[float, ...]  # standard errors; 0 for what is not sampled


def evaluate(entry: Entry) -> Value:
    """Compute an entry's expression and its standard error.

    Raises ValueError if they are not one finite number for each number of the figure, or if the expression
    drew from PyTorch's global generator; and whatever the expression raises.
    """
    count = len(entry.numbers)
    values = _as_floats(compute(entry.expression), count)
    errors = _as_floats(compute(entry.standard_error), count) if entry.standard_error else (0.0,) * count
    return Value(values, errors)


@cache
def compute(expression: str) -> Any:
    """Compute one expression, once. Raises ValueError if it draws from PyTorch's global generator."""
    names = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
    before = torch.get_rng_state()
    result = eval(expression, {name: known for name in names if (known := _known(name)) is not None})
    if not torch.equal(before, torch.get_rng_state()):
        raise ValueError("it draws from the global generator; give it a generator or a seed")
    return result


def disagreement(entry: Entry, value: Value) -> str:
    """How a printed figure differs from its value by more than rounding and sampling explain, or nothing."""
    for number, worth, error in zip(entry.numbers, value.values, value.errors, strict=True):
        allowed = number.half_unit * (1 + 1e-6) + STANDARD_ERRORS * error
        if abs(worth - number.value) > allowed:
            within = f"{worth:.10g}, further off than {allowed:.2g}"
            return f"the prose says {number.text}, but {entry.expression} is {within}"
    return ""


def shown(worth: float, error: float, number: Number) -> str:
    """A value in the figure's own unit and two digits further, with its standard error if it has one."""
    unit, sign = (100, " %") if number.text.endswith(("%", "percent")) else (1, "")
    if math.isclose(worth * unit, round(worth * unit), rel_tol=1e-12):
        text = f"{worth * unit:,.0f}"
    else:
        text = f"{worth * unit:,.{max(0, 2 - round(math.log10(2 * number.half_unit * unit)))}f}"
    return text.replace("-", "−") + (f" ± {error * unit:.2g}" if error else "") + sign


def evaluate_all(entries: Iterable[Entry], cached: Path) -> dict[Entry, Value | Exception]:
    """Evaluate entries that have an expression; the file `cached` keeps what was found for the next time."""
    known = json.loads(cached.read_text(encoding="utf-8")) if cached.is_file() else {}
    found: dict[Entry, Value | Exception] = {}
    for entry in entries:
        key = f"{entry.expression} ± {entry.standard_error} × {len(entry.numbers)}"
        if key in known:
            found[entry] = Value(*map(tuple, known[key]))
            continue
        try:
            value = evaluate(entry)
        except Exception as error:  # whatever an expression raises is for the reader of the ledger to see
            found[entry] = error
        else:
            found[entry] = value
            known[key] = [value.values, value.errors]
    cached.parent.mkdir(parents=True, exist_ok=True)
    cached.write_text(json.dumps(known, indent=1, ensure_ascii=False), encoding="utf-8")
    return found


def _known(name: str) -> Any:
    modules: dict[str, Any] = {"torch": torch, "math": math, "np": np}
    if name in modules or name.startswith("_"):
        return modules.get(name)
    places: list[Callable[[], Any]] = [lambda: measurements]
    for module in pkgutil.iter_modules(gpt2_teach.__path__, "gpt2_teach."):
        if module.name.rpartition(".")[2] not in NO_VALUES and "._" not in module.name:
            places.append(lambda name=module.name: import_module(name))  # type: ignore[misc]
    return next((found for place in places if (found := getattr(place(), name, None)) is not None), None)


def _as_floats(result: Any, count: int) -> tuple[float, ...]:
    values = tuple(float(part) for part in (result if isinstance(result, tuple | list) else [result]))
    if len(values) != count or not all(map(math.isfinite, values)):
        raise ValueError(f"it must be worth {count} finite number{'s' * (count > 1)}, got {result!r}")
    return values
