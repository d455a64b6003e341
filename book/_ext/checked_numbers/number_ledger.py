"""Loads the ledger of checked figures, and finds each entry in the prose.

The head of `book/figures.yml` explains the fields of an entry. `expression_values` checks its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import yaml

from checked_numbers.markdown_sentences import sentence_source, sentences
from checked_numbers.numbers_in_prose import Number, SearchableText, find_numbers, searchable_text
from checked_numbers.prose_pages import Page

ANY_PAGE = "any"  # the page of an entry that applies to every page
MIN_DIGITS = 3  # significant digits of the numbers in prose that must be in the ledger


class LedgerError(ValueError):
    """An entry is incomplete, contradictory or malformed."""


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
        return find_numbers(_searchable(self.figure))


@dataclass(frozen=True)
class Occurrence:
    """A figure in the prose: `start` to `end` in the searchable text of a page's sentence."""

    page: Page
    index: int  # of the sentence
    start: int
    end: int


@dataclass(frozen=True)
class UnlistedNumber:
    """A number in prose that has no entry."""

    page: Page
    number: Number
    sentence: str

    def __str__(self) -> str:
        return f"{self.page.path.name}: {self.number.text} has no entry in the ledger: “{self.sentence}”"


def load_ledger(path: Path) -> list[Entry]:
    """Load the entries. Raises LedgerError that names the entry and the problem."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    if not isinstance(raw, list):
        raise LedgerError(f"{path.name} must be a list of entries, got {type(raw).__name__}")
    entries = [_entry(item, f"{path.name}, entry {number}") for number, item in enumerate(raw, start=1)]
    seen: set[tuple[str, str, str]] = set()
    for entry in entries:
        key = (entry.page, entry.figure, entry.where)
        if key in seen:
            raise LedgerError(f"{path.name}: two entries for {entry}; distinguish them by `where`")
        seen.add(key)
    return entries


def _entry(item: object, name: str) -> Entry:
    if not isinstance(item, dict):
        raise LedgerError(f"{name} must have a page and a figure, got {item!r}")
    name += f" ({item.get('page')}, {item.get('figure')})"
    known = [field.name for field in fields(Entry)]
    if unknown := set(item) - set(known):
        raise LedgerError(f"{name}: {', '.join(map(str, unknown))} must be one of {', '.join(known)}")
    for key in ("figure", "page", "where", "source"):
        if not isinstance(item.get(key, ""), str):
            raise LedgerError(f"{name}: {key} must be text; put it in quotes to preserve all of its digits")
    given = {"page": "", "figure": ""} | item
    entry = Entry(**{key: str(value).strip() for key, value in given.items()})
    if not entry.page or not entry.numbers:
        raise LedgerError(f"{name} must have a page, and a figure that contains a number")
    if bool(entry.expression) == bool(entry.source):
        raise LedgerError(f"{name} must have either an expression or a source")
    if entry.standard_error and not entry.expression:
        raise LedgerError(f"{name} has a standard_error, but no expression")
    return entry


def match_entries(
    entries: Sequence[Entry], pages: Sequence[Page]
) -> tuple[dict[Entry, list[Occurrence]], list[UnlistedNumber]]:
    """Find every entry's figure in the prose, and every number that has no entry.

    An entry with `where` takes precedence over one without, and an entry for a page over one for any page.
    """
    occurrences: dict[Entry, list[Occurrence]] = {entry: [] for entry in entries}
    unlisted = []
    for page in pages:
        candidates = [entry for entry in entries if entry.page in (page.stem, ANY_PAGE)]
        candidates.sort(key=_generality)
        for index, sentence in enumerate(page.sentences):
            text = searchable_text(sentence)
            found = find_numbers(text.masked)
            taken: dict[int, int] = {}  # start of a number -> generality of the entry that matched it
            for entry in candidates:
                for start, end in _find_figure(entry, text, found):
                    starts = [number.start for number in found if start <= number.start < end]
                    if any(taken.get(number, 9) < _generality(entry) for number in starts):
                        continue
                    taken.update(dict.fromkeys(starts, _generality(entry)))
                    occurrences[entry].append(Occurrence(page, index, start, end))
            for number in found:
                if number.significant >= MIN_DIGITS and number.start not in taken:
                    unlisted.append(UnlistedNumber(page, number, sentence_source(sentence)))
    return occurrences, unlisted


def _generality(entry: Entry) -> int:
    return 2 * (entry.page == ANY_PAGE) + (not entry.where)


def _find_figure(entry: Entry, text: SearchableText, found: Sequence[Number]) -> Iterator[tuple[int, int]]:
    """Yield the positions of the figure with all of its numbers whole: 23.7 is not in 23.7 % or in -23.7."""
    figure, where = _searchable(entry.figure), _searchable(entry.where)
    near = text.text.find(where)
    if near < 0:
        return
    low, high = (near, near + len(where)) if figure in where else (0, len(text.text))
    start = text.masked.find(figure, low, high)
    while start >= 0:
        end = start + len(figure)
        touched = [number for number in found if number.start < end and number.end > start]
        if touched and touched[0].start >= start and touched[-1].end <= end:
            yield start, end
        start = text.masked.find(figure, end, high)


@cache
def _searchable(markdown: str) -> str:
    """Return part of a sentence as searchable text; the dollar signs of LaTeX are optional."""
    if "\\" in markdown and "$" not in markdown:
        markdown = f"${markdown}$"
    return " ".join(searchable_text(sentence).text for sentence in sentences(markdown)).strip()
