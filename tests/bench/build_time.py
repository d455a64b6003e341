"""Measures the time of a clean build, and of a build with nothing changed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from costs.costs_file import Line
from jupyter_cache import get_cache

from tests.bench.measuring import compare
from tests.bench.notebook_memory import ROOT
from tests.small_books import Book

BUILT = shutil.ignore_patterns("_build", ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


def build_seconds(book: Book) -> float:
    """Return the seconds that `make book` takes. Raises RuntimeError if it fails."""
    start = time.perf_counter()
    built = book.make("book")
    seconds = time.perf_counter() - start
    if built.returncode:
        raise RuntimeError(f"make book failed:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")
    return seconds


def notebook_seconds(book: Book) -> float:
    """Return the total execution time of the notebooks in that build, in seconds."""
    caches = book.root / "_build" / ".jupyter_cache"
    records = [record for folder in caches.iterdir() for record in get_cache(folder).list_cache_records()]
    return sum(float(record.data["execution_seconds"]) for record in records)


def book() -> Iterator[Line]:
    """Measure a copy without `_build`: one clean build, and three builds with nothing changed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Book(Path(shutil.copytree(ROOT, Path(folder) / "book", ignore=BUILT)))
        cold = build_seconds(copy)
        own = notebook_seconds(copy)
        warm = sorted(build_seconds(copy) for _ in range(3))[1]
    peer = "its notebooks' own run times, summed"
    yield compare("make book, from nothing", peer, cold, own, 1.5, "s")
    yield compare("make book again, nothing changed", peer, warm, own, 0.2, "s")
