"""Reads, checks and writes `book/costs.yml`, which `tests/bench` measures.

The file maps each group to its date, commit, machine and `lines`. All lines of a group come from one run.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

import yaml

COSTS_FILE = "book/costs.yml"
UNITS = ("ms", "s", "KB", "GB")
HEAD = (
    "# Written by `make bench`, shown by book/costs.md. Times are medians; a ratio is ours over the peer's.\n"
)


@dataclass(frozen=True)
class Line:
    """One cost. `target` is the upper limit of its ratio, or of its value if it has no peer."""

    what: str
    unit: str
    ours: float
    target: float
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None


@dataclass(frozen=True)
class Group:
    """The lines of one run."""

    date: datetime.date
    commit: str
    machine: str
    lines: tuple[Line, ...]


def load_costs(path: Path) -> dict[str, Group]:
    """Read the costs. Raises ValueError that names the entry, the field and the problem."""
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}. `make bench` writes it") from error
    groups: dict[str, Group] = {}
    for name, entry in _mapping(raw, path.name).items():
        where = f"{path.name}, {name}"
        entry = _fields(Group, entry, where)
        if not isinstance(entry["lines"], list) or not entry["lines"]:
            raise ValueError(f"{where}: lines must be a list of at least one line, got {entry['lines']!r}")
        lines = tuple(_line(line, f"{where}, line {i}") for i, line in enumerate(entry["lines"], start=1))
        groups[str(name)] = Group(**entry | {"lines": lines})
    return groups


def write_costs(groups: Mapping[str, Group], path: Path) -> None:
    """Write the costs in the form that `load_costs` reads."""
    plain = {
        name: asdict(group)
        | {"lines": [{k: v for k, v in asdict(line).items() if v not in ("", None)} for line in group.lines]}
        for name, group in groups.items()
    }
    text = HEAD + yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)
    path.write_text(text, encoding="utf-8")


def _mapping(raw: object, where: str) -> dict[Any, Any]:
    if not isinstance(raw, dict) or not raw:
        raise ValueError(f"{where} must be a mapping, got {raw!r}")
    return raw


def _fields(kind: type, raw: object, where: str) -> dict[str, Any]:
    """Check that a mapping has the fields of a dataclass with their types, and return it."""
    entry = _mapping(raw, where)
    known = {field.name: field for field in fields(kind)}
    for name in entry.keys() - known.keys():
        raise ValueError(f"{where}: {name} must be one of {', '.join(known)}")
    for name, field in known.items():
        if name not in entry and field.default is MISSING:
            raise ValueError(f"{where}: {name} is missing")
        value, expected = entry.get(name), str(field.type)
        if expected == "str" and name in entry and (not isinstance(value, str) or not value.strip()):
            raise ValueError(f"{where}: {name} must be text, got {value!r}")
        if expected.startswith("float") and name in entry and not _is_positive(value):
            raise ValueError(f"{where}: {name} must be a number above 0, got {value!r}")
        if expected == "datetime.date" and type(value) is not datetime.date:
            raise ValueError(f"{where}: {name} must be a date such as 2026-01-31, got {value!r}")
    return entry


def _is_positive(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 < value < float("inf")  # type: ignore[operator]


def _line(raw: object, where: str) -> Line:
    line = Line(**_fields(Line, raw, where))
    if line.unit not in UNITS:
        raise ValueError(f"{where}: unit must be one of {', '.join(UNITS)}, got {line.unit!r}")
    given = [bool(line.peer), line.theirs is not None, line.ratio is not None]
    if any(given) and not all(given):
        raise ValueError(f"{where}: peer, theirs and ratio must be given together")
    if line.theirs and line.ratio and abs(line.ours / line.theirs / line.ratio - 1) > 0.02:
        raise ValueError(
            f"{where}: ratio must be ours over theirs, {line.ours / line.theirs:.3g}, got {line.ratio}"
        )
    return line
