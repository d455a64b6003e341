"""Evaluates the ledger's expressions, and reports the printed figures that disagree.

An expression is Python over the public names of `gpt2_teach`'s modules, `torch`, `math`, `np` and the
functions of `expression_functions`. It must have the same value at every run, so it must not draw random
numbers from PyTorch's global generator.
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
from checked_numbers import expression_functions
from checked_numbers.number_ledger import Entry
from checked_numbers.numbers_in_prose import Number

MAX_STANDARD_ERRORS = 4  # a true figure differs by more once in 16,000 times
EXCLUDED_MODULES = {"demos", "plots"}  # they show values and compute none


@dataclass(frozen=True)
class Value:
    """The value of an entry's expression, with one number for each number of the figure."""

    values: tuple[float, ...]
    errors: tuple[float, ...]  # standard errors; 0 if not sampled


def evaluate(entry: Entry) -> Value:
    """Evaluate an entry's expression and its standard error.

    Raises ValueError if they are not one finite number for each number of the figure, or if the expression
    drew from PyTorch's global generator, and any exception of the expression.
    """
    count = len(entry.numbers)
    values = _as_floats(compute(entry.expression), count)
    errors = _as_floats(compute(entry.standard_error), count) if entry.standard_error else (0.0,) * count
    return Value(values, errors)


@cache
def compute(expression: str) -> Any:
    """Evaluate an expression once. Raises ValueError if it draws from PyTorch's global generator."""
    names = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
    before = torch.get_rng_state()
    result = eval(expression, {name: value for name in names if (value := _look_up(name)) is not None})
    if not torch.equal(before, torch.get_rng_state()):
        raise ValueError("it draws from the global generator; give it a generator or a seed")
    return result


def disagreement(entry: Entry, value: Value) -> str:
    """Describe a difference between figure and value that rounding and sampling do not explain, if any."""
    for number, computed, error in zip(entry.numbers, value.values, value.errors, strict=True):
        allowed = number.half_unit * (1 + 1e-6) + MAX_STANDARD_ERRORS * error
        if abs(computed - number.value) > allowed:
            difference = f"{computed:.10g}, a difference of more than {allowed:.2g}"
            return f"the prose says {number.text}, but {entry.expression} is {difference}"
    return ""


def format_value(computed: float, error: float, number: Number) -> str:
    """Format a value in the figure's unit with two more digits, and with its standard error if it has one."""
    unit, sign = (100, " %") if number.text.endswith(("%", "percent")) else (1, "")
    if math.isclose(computed * unit, round(computed * unit), rel_tol=1e-12):
        text = f"{computed * unit:,.0f}"
    else:
        text = f"{computed * unit:,.{max(0, 2 - round(math.log10(2 * number.half_unit * unit)))}f}"
    return text.replace("-", "−") + (f" ± {error * unit:.2g}" if error else "") + sign


def evaluate_all(entries: Iterable[Entry], cache: Path) -> dict[Entry, Value | Exception]:
    """Evaluate entries that have an expression, and keep the values in the file `cache`."""
    cached = json.loads(cache.read_text(encoding="utf-8")) if cache.is_file() else {}
    results: dict[Entry, Value | Exception] = {}
    for entry in entries:
        key = f"{entry.expression} ± {entry.standard_error} × {len(entry.numbers)}"
        if key in cached:
            results[entry] = Value(*map(tuple, cached[key]))
            continue
        try:
            value = evaluate(entry)
        except Exception as error:  # an expression may raise anything; the caller reports it
            results[entry] = error
        else:
            results[entry] = value
            cached[key] = [value.values, value.errors]
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps(cached, indent=1, ensure_ascii=False), encoding="utf-8")
    return results


def _look_up(name: str) -> Any:
    modules: dict[str, Any] = {"torch": torch, "math": math, "np": np}
    if name in modules or name.startswith("_"):
        return modules.get(name)
    importers: list[Callable[[], Any]] = [lambda: expression_functions]
    for module in pkgutil.iter_modules(gpt2_teach.__path__, "gpt2_teach."):
        if module.name.rpartition(".")[2] not in EXCLUDED_MODULES and "._" not in module.name:
            importers.append(lambda name=module.name: import_module(name))  # type: ignore[misc]
    return next((found for load in importers if (found := getattr(load(), name, None)) is not None), None)


def _as_floats(result: Any, count: int) -> tuple[float, ...]:
    values = tuple(float(part) for part in (result if isinstance(result, tuple | list) else [result]))
    if len(values) != count or not all(map(math.isfinite, values)):
        raise ValueError(f"it must give {count} finite number{'s' * (count > 1)}, got {result!r}")
    return values
