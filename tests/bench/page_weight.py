"""Measures the transfer size of pages: HTML, styles, scripts and pictures, gzipped.

Fonts are excluded on both sides, because a browser decides which it loads. Files from other hosts are
excluded too, which favours the bare theme.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup
from costs.costs_file import Line

from tests.bench.measuring import compare
from tests.bench.notebook_memory import ROOT
from tests.small_books import environment

SITE = ROOT / "_build" / "html"
COMPRESSED = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".woff", ".woff2"}  # servers do not gzip these
# dist/embed-amd.js, 3.63 MB, of @jupyter-widgets/html-manager 1.0.15, from the line that ipywidgets 8 uses,
# after gzip -9. Its loader, RequireJS, and the state of the widgets are not included.
HTML_MANAGER = 913_659


def transfer_size(content: bytes, suffix: str = "") -> int:
    """Return the bytes that a web server sends for a file."""
    return len(content) if suffix in COMPRESSED else len(gzip.compress(content, 9, mtime=0))


def page_files(page: Path) -> set[Path]:
    """Return the styles, scripts and pictures of the same site that a page loads."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    urls: list[Any] = [tag["src"] for tag in soup.select("script[src], img[src]")]
    urls += [
        tag["href"] for tag in soup.select("link[href]") if {"stylesheet", "icon"} & set(tag.get("rel") or [])
    ]
    local = {re.split(r"[?#]", str(url))[0] for url in urls if not re.match(r"\w+:|//", url)}
    return {(page.parent / url).resolve() for url in local if url}


def page_weight(page: Path) -> int:
    """Return the bytes of a page with all files that it loads."""
    return sum(transfer_size(file.read_bytes(), file.suffix) for file in {page.resolve(), *page_files(page)})


def pages_in_toc(root: Path) -> list[str]:
    """Return the pages of the table of contents."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(page["file"] for part in toc["parts"] for page in part["chapters"])]


def bare_site(folder: Path) -> Path:
    """Build the same text with plain Jupyter Book: its theme, no extension of ours, no notebook executed."""
    for name in pages_in_toc(ROOT):
        source = next(file for file in ROOT.glob(f"{name}.*") if file.suffix in (".md", ".ipynb"))
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    (folder / "_toc.yml").write_bytes((ROOT / "_toc.yml").read_bytes())
    (folder / "book" / "references.bib").write_bytes((ROOT / "book" / "references.bib").read_bytes())
    settings = {
        "execute": {"execute_notebooks": "off"},
        "only_build_toc_files": True,
        "parse": yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["parse"],
        "sphinx": {
            "extra_extensions": ["sphinx_exercise", "sphinxcontrib.bibtex"],
            "config": {"bibtex_bibfiles": ["book/references.bib"]},
        },
    }
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    command = [sys.executable, "-P", "-c", "from jupyter_book.cli.main import main; main()", "build", "."]
    subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=True)
    return folder / "_build" / "html"


def pages() -> Iterator[Line]:
    """Compare each built page with the same text in the bare theme."""
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_site(Path(folder))
        for name in pages_in_toc(ROOT):
            ours, theirs = page_weight(SITE / f"{name}.html"), page_weight(bare / f"{name}.html")
            yield compare(f"{name}.html", "the same text in the bare theme", ours, theirs, 1.0, "KB")


def demos() -> Iterator[Line]:
    """Compare each page's demos, with style and script, with ipywidgets' script for static pages."""
    for name in pages_in_toc(ROOT):
        soup = BeautifulSoup((SITE / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        if found := soup.select(".explore"):
            ours = transfer_size("".join(map(str, found)).encode())
            ours += sum(
                transfer_size((SITE / "_static" / "explorable" / file).read_bytes())
                for file in ("demo.js", "style.css")
            )
            what = f"the sliders of {name}.html ({len(found)})"
            yield compare(what, "ipywidgets' script for static pages", ours, HTML_MANAGER, 0.1, "KB")
