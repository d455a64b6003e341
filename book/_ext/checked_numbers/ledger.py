"""Loads the ledger of checked figures, and holds each entry to the prose and to its value.

The head of `book/figures.yml` explains the fields of an entry.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path, PurePath
from typing import NamedTuple

import nbformat
import yaml

from checked_numbers.prose import Number, Sentence, find_numbers, normalize

ANY_PAGE = "any"  # the page of an entry that applies to every page
MIN_DIGITS = 3  # significant digits of the numbers in prose that must be in the ledger
MAX_STANDARD_ERRORS = 4  # a true figure differs by more once in 16,000 times

Values = list[tuple[float, float]]  # value and standard error (0 if not sampled) of each number of a figure


@dataclass(frozen=True)
class Entry:
    """A figure and what it is checked against."""

    page: str
    figure: str
    expression: str = ""
    standard_error: str = ""
    source: str = ""
    where: str = ""

    def __str__(self) -> str:
        return f"{self.page}, {self.figure!r}" + (f" where {self.where!r}" if self.where else "")

    @property
    def numbers(self) -> list[Number]:
        """The numbers that the figure states: usually one, two for a range."""
        return find_numbers(normalize(self.figure))


class Occurrence(NamedTuple):
    """A figure in the prose: `start` to `end` in the text of a page's sentence."""

    page: str
    sentence: Sentence
    start: int
    end: int


def load_ledger(path: Path) -> list[Entry]:
    """Load the entries. Raises ValueError that names the entry and the problem."""
    known = {field.name for field in fields(Entry)}
    entries: list[Entry] = []
    for item in yaml.safe_load(path.read_text(encoding="utf-8")) or []:
        if not isinstance(item, dict) or not {"page", "figure"} <= item.keys() <= known:
            raise ValueError(
                f"{item} must have a page and a figure; the fields are {', '.join(sorted(known))}"
            )
        if not isinstance(item["figure"], str):
            raise ValueError(f"{item}: figure must be in quotes, which preserve all of its digits")
        entry = Entry(**{key: str(value) for key, value in item.items()})
        if not entry.numbers or bool(entry.expression) == bool(entry.source):
            raise ValueError(f"{entry} must contain a number, and have either an expression or a source")
        if str(entry) in map(str, entries):
            raise ValueError(f"two entries for {entry}; distinguish them by `where`")
        entries.append(entry)
    return entries


def match_entries(
    entries: Sequence[Entry], pages: Mapping[str, Iterable[Sentence]]
) -> tuple[dict[Entry, list[Occurrence]], list[str]]:
    """Find every entry's figure in the prose, and describe every number that has no entry.

    An entry with `where` takes precedence over one without, and an entry for a page over one for any page.
    """
    occurrences: dict[Entry, list[Occurrence]] = {entry: [] for entry in entries}
    unlisted = []
    by_precedence = sorted(entries, key=lambda entry: (entry.page == ANY_PAGE, not entry.where))
    for page, sentences in pages.items():
        candidates = [entry for entry in by_precedence if entry.page in (PurePath(page).stem, ANY_PAGE)]
        for sentence in sentences:
            free = find_numbers(sentence.text)
            for entry in candidates:
                for start, end in _find_figure(entry, sentence.text, free):
                    free = [number for number in free if not start <= number.start < end]
                    occurrences[entry].append(Occurrence(page, sentence, start, end))
            for number in free:
                if number.significant >= MIN_DIGITS:
                    unlisted.append(f"{page}: {number.text} has no entry in the ledger: “{sentence}”")
    return occurrences, unlisted


def _find_figure(entry: Entry, text: str, free: list[Number]) -> Iterator[tuple[int, int]]:
    """Yield the positions of the figure with all of its numbers whole: 23.7 is not in 23.7 % or in -23.7."""
    figure, where = normalize(entry.figure), normalize(entry.where).strip()
    near = text.find(where)
    if near < 0:
        return
    low, high = (near, near + len(where)) if figure in where else (0, len(text))
    for match in re.compile(re.escape(figure)).finditer(text, low, high):
        start, end = match.span()
        touched = [number for number in free if number.start < end and number.end > start]
        if touched and touched[0].start >= start and touched[-1].end <= end:
            yield start, end


def notebook_code(notebook: Path) -> str:
    """Return the code of a notebook's cells."""
    cells = nbformat.read(notebook, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def check_values(entries: Iterable[Entry], kept: Path, key: str) -> tuple[dict[Entry, Values], list[str]]:
    """Return the values of the entries that have an expression, and describe what is wrong with them.

    The file `kept` has the values that were computed for this key before.
    """
    known: dict[str, Values] = {}
    with suppress(OSError, ValueError, KeyError):
        known = json.loads(kept.read_text(encoding="utf-8"))[key]
    values: dict[Entry, Values] = {}
    problems = []
    for entry in (entry for entry in entries if entry.expression):
        name = f"{entry.expression} ± {entry.standard_error} × {len(entry.numbers)}"
        try:
            if name not in known:
                from checked_numbers.expressions import evaluate  # here: PyTorch loads slowly

                known[name] = evaluate(entry)
        except Exception as error:  # an expression may raise anything
            problems.append(f"{entry}: {entry.expression} cannot be computed: {error!r}")
        else:
            values[entry] = known[name]
            problems += _disagreements(entry, known[name])
    kept.write_text(json.dumps({key: known}, indent=1, ensure_ascii=False), encoding="utf-8")
    return values, problems


def _disagreements(entry: Entry, values: Values) -> Iterator[str]:
    """Describe the differences between figure and value that rounding and sampling do not explain."""
    for number, (computed, error) in zip(entry.numbers, values, strict=True):
        allowed = number.half_unit * (1 + 1e-6) + MAX_STANDARD_ERRORS * error
        if abs(computed - number.value) > allowed:
            difference = f"{computed:.10g}, a difference of more than {allowed:.2g}"
            yield f"{entry}: the prose says {number.text}, but {entry.expression} is {difference}"


def format_value(computed: float, error: float, number: Number) -> str:
    """Format a value in the figure's unit with two more digits, and with its standard error if it has one."""
    unit, sign = (100, " %") if number.text.endswith(("%", "percent")) else (1, "")
    is_whole = math.isclose(computed * unit, round(computed * unit), rel_tol=1e-12)
    digits = 0 if is_whole else max(0, 2 - round(math.log10(2 * number.half_unit * unit)))
    text = f"{computed * unit:,.{digits}f}".replace("-", "−")
    return text + (f" ± {error * unit:.2g}" if error else "") + sign
