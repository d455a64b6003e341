"""The file `book/costs.yml`: read, checked and written.

It is a mapping from a group of lines to what was measured: when, at which commit, on which machine, and its
`lines`. A group is measured as a whole, so all of its lines are of one run. `tests/bench` writes it.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

import yaml

COSTS = "book/costs.yml"
UNITS = ("ms", "s", "KB", "GB")
HEAD = (
    "# Written by `make bench`, shown by book/costs.md. Times are medians; a ratio is ours over the peer's.\n"
)


@dataclass(frozen=True)
class Line:
    """One cost. `target` is the most that its ratio may be, or its own value where there is no peer."""

    what: str
    unit: str
    ours: float
    target: float
    peer: str = ""
    theirs: float | None = None
    ratio: float | None = None


@dataclass(frozen=True)
class Group:
    """Lines of one run."""

    date: datetime.date
    commit: str
    machine: str
    lines: tuple[Line, ...]


def load(path: Path) -> dict[str, Group]:
    """Read the costs. Raises ValueError that names the entry, the field, and what is wrong with it."""
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


def dump(groups: Mapping[str, Group], path: Path) -> None:
    """Write the costs so that `load` reads them."""
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
    """A mapping with the fields of a dataclass, each of its type."""
    entry = _mapping(raw, where)
    known = {field.name: field for field in fields(kind)}
    for name in entry.keys() - known.keys():
        raise ValueError(f"{where}: {name} is none of {', '.join(known)}")
    for name, field in known.items():
        if name not in entry and field.default is MISSING:
            raise ValueError(f"{where} lacks {name}")
        value, wanted = entry.get(name), str(field.type)
        if wanted == "str" and name in entry and (not isinstance(value, str) or not value.strip()):
            raise ValueError(f"{where}: {name} must be text, got {value!r}")
        if wanted.startswith("float") and name in entry and not _positive(value):
            raise ValueError(f"{where}: {name} must be a number above 0, got {value!r}")
        if wanted == "datetime.date" and type(value) is not datetime.date:
            raise ValueError(f"{where}: {name} must be a date such as 2026-01-31, got {value!r}")
    return entry


def _positive(value: object) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 < value < float("inf")  # type: ignore[operator]


def _line(raw: object, where: str) -> Line:
    line = Line(**_fields(Line, raw, where))
    if line.unit not in UNITS:
        raise ValueError(f"{where}: unit must be one of {', '.join(UNITS)}, got {line.unit!r}")
    given = [bool(line.peer), line.theirs is not None, line.ratio is not None]
    if any(given) and not all(given):
        raise ValueError(f"{where}: peer, theirs and ratio go together")
    if line.theirs and line.ratio and abs(line.ours / line.theirs / line.ratio - 1) > 0.02:
        raise ValueError(
            f"{where}: ratio must be ours over theirs, {line.ours / line.theirs:.3g}, got {line.ratio}"
        )
    return line
