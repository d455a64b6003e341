"""The ledger of checked figures: its entries, and where in the prose each of them stands.

`book/figures.yml` says at its top what an entry holds. Whether its value is right is `evaluation`'s matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import yaml

from checked_numbers.markdown_sentences import sentences, written
from checked_numbers.numbers_in_prose import Number, Read, numbers, read
from checked_numbers.prose_pages import Page

ANY = "any"  # the page of an entry that holds on every page
SIGNIFICANT = 3  # digits from which on a number in prose must be in the ledger


class LedgerError(ValueError):
    """An entry that says too little, too much, or nothing that can be understood."""


@dataclass(frozen=True)
class Entry:
    """One figure and what it is checked against."""

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
        return numbers(_searchable(self.figure))


@dataclass(frozen=True)
class Place:
    """Where a figure stands: from `start` to `end` of the searchable text of a page's sentence."""

    page: Page
    index: int
    start: int
    end: int


@dataclass(frozen=True)
class Unlisted:
    """A number in prose that no entry speaks of."""

    page: Page
    number: Number
    sentence: str

    def __str__(self) -> str:
        return f"{self.page.path.name}: {self.number.text} is in no entry of the ledger: “{self.sentence}”"


def load(path: Path) -> list[Entry]:
    """Read the entries. Raises LedgerError naming the entry and what is wrong with it."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    if not isinstance(raw, list):
        raise LedgerError(f"{path.name} must be a list of entries, got {type(raw).__name__}")
    entries = [_entry(item, f"{path.name}, entry {number}") for number, item in enumerate(raw, start=1)]
    seen: set[tuple[str, str, str]] = set()
    for entry in entries:
        key = (entry.page, entry.figure, entry.where)
        if key in seen:
            raise LedgerError(f"{path.name}: two entries for {entry}; tell them apart by `where`")
        seen.add(key)
    return entries


def _entry(item: object, name: str) -> Entry:
    if not isinstance(item, dict):
        raise LedgerError(f"{name} must have a page and a figure, got {item!r}")
    name += f" ({item.get('page')}, {item.get('figure')})"
    known = [field.name for field in fields(Entry)]
    if unknown := set(item) - set(known):
        raise LedgerError(f"{name}: {', '.join(map(str, unknown))} is none of {', '.join(known)}")
    for key in ("figure", "page", "where", "source"):
        if not isinstance(item.get(key, ""), str):
            raise LedgerError(f"{name}: {key} must be text; put it in quotes, so that no digit of it is lost")
    given = {"page": "", "figure": ""} | item
    entry = Entry(**{key: str(value).strip() for key, value in given.items()})
    if not entry.page or not entry.numbers:
        raise LedgerError(f"{name} must name a page, and a figure that holds a number")
    if bool(entry.expression) == bool(entry.source):
        raise LedgerError(f"{name} must have either an expression or a source")
    if entry.standard_error and not entry.expression:
        raise LedgerError(f"{name} has a standard error, but no expression that it could be the error of")
    return entry


def match(entries: Sequence[Entry], pages: Sequence[Page]) -> tuple[dict[Entry, list[Place]], list[Unlisted]]:
    """Find every entry's figure in the prose, and every number that is in no entry.

    An entry with `where` goes before one without, and an entry of a page before one of any page: the more
    general one has only what these leave.
    """
    places: dict[Entry, list[Place]] = {entry: [] for entry in entries}
    unlisted = []
    for page in pages:
        mine = [entry for entry in entries if entry.page in (page.stem, ANY)]
        mine.sort(key=_generality)
        for index, sentence in enumerate(page.sentences):
            text = read(sentence)
            found = numbers(text.figures)
            taken: dict[int, int] = {}  # where a number starts -> generality of the entry that has it
            for entry in mine:
                for start, end in _occurrences(entry, text, found):
                    starts = [number.start for number in found if start <= number.start < end]
                    if any(taken.get(number, 9) < _generality(entry) for number in starts):
                        continue
                    taken.update(dict.fromkeys(starts, _generality(entry)))
                    places[entry].append(Place(page, index, start, end))
            for number in found:
                if number.significant >= SIGNIFICANT and number.start not in taken:
                    unlisted.append(Unlisted(page, number, written(sentence)))
    return places, unlisted


def _generality(entry: Entry) -> int:
    return 2 * (entry.page == ANY) + (not entry.where)


def _occurrences(entry: Entry, text: Read, found: Sequence[Number]) -> Iterator[tuple[int, int]]:
    """Where the figure stands with each of its numbers whole: 23.7 does not stand in 23.7 %, nor in -23.7."""
    figure, where = _searchable(entry.figure), _searchable(entry.where)
    near = text.text.find(where)
    if near < 0:
        return
    low, high = (near, near + len(where)) if figure in where else (0, len(text.text))
    start = text.figures.find(figure, low, high)
    while start >= 0:
        end = start + len(figure)
        touched = [number for number in found if number.start < end and number.end > start]
        if touched and touched[0].start >= start and touched[-1].end <= end:
            yield start, end
        start = text.figures.find(figure, end, high)


@cache
def _searchable(markdown: str) -> str:
    """Part of a sentence as `read` makes sentences; LaTeX may come without its dollars."""
    if "\\" in markdown and "$" not in markdown:
        markdown = f"${markdown}$"
    return " ".join(read(sentence).text for sentence in sentences(markdown)).strip()
