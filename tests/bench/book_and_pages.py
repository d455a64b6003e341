"""Measures the time of a build, and what a web server sends for a page."""

from __future__ import annotations

import gzip
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from jupyter_cache import get_cache

from tests.bench.measuring import Line
from tests.small_books import ROOT, Book

SITE = ROOT / "_build" / "html"
BUILT = ("_build", ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
COMPRESSED = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".woff", ".woff2"}  # servers do not gzip these
MAX_KB = 200


def book() -> Iterator[Line]:
    """Build a copy without `_build` from nothing, and then with nothing changed."""
    with tempfile.TemporaryDirectory() as folder:
        ignored = shutil.ignore_patterns(*BUILT)
        copy = Book(Path(shutil.copytree(ROOT, Path(folder) / "book", ignore=ignored)))
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            if (built := copy.make("book")).returncode:
                raise RuntimeError(f"make book failed:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")
            seconds.append(time.perf_counter() - start)
        caches = [get_cache(path) for path in (copy.root / "_build" / ".jupyter_cache").iterdir()]
        records = [record for cache in caches for record in cache.list_cache_records()]
    own = sum(float(record.data["execution_seconds"]) for record in records)
    peer = "its notebooks' own run times, summed"
    yield Line("make book, from nothing", "s", seconds[0], 1.5, peer, own)
    yield Line("make book again, nothing changed", "s", seconds[1], 0.2, peer, own)


def page_weight(page: Path) -> int:
    """Return the bytes of a page with the styles, scripts and pictures of the same site that it loads.

    Fonts are excluded, because a browser decides which it loads.
    """
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    loaded = soup.select("script[src], img[src], link[rel~=stylesheet][href], link[rel~=icon][href]")
    urls = [re.split(r"[?#]", str(tag.get("src") or tag["href"]))[0] for tag in loaded]
    files = {
        page.resolve(),
        *((page.parent / url).resolve() for url in urls if not re.match(r"\w+:|//", url)),
    }
    contents = [(file.suffix, file.read_bytes()) for file in files]
    return sum(len(data if kind in COMPRESSED else gzip.compress(data, mtime=0)) for kind, data in contents)


def pages() -> Iterator[Line]:
    """Weigh each built page."""
    for page in sorted([*SITE.glob("book/*.html"), *SITE.glob("notebooks/*.html")]):
        yield Line(page.relative_to(SITE).as_posix(), "KB", page_weight(page), MAX_KB)
