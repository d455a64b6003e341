"""What a page weighs as it is sent: itself, its styles, scripts and pictures, gzipped.

Fonts are left out on both sides, for a browser decides which of them it asks for. So is what the bare page
has from other hosts, which only makes it look lighter.
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
from costs.ledger import Line

from tests.bench.lines import compare
from tests.bench.memory import ROOT
from tests.small_books import environment

SITE = ROOT / "_build" / "html"
PACKED = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".woff", ".woff2"}  # no server compresses these again
# dist/embed-amd.js, 3.63 MB, of @jupyter-widgets/html-manager 1.0.15, of the line that ipywidgets 8
# asks for, by gzip -9. Its loader, RequireJS, and the state of the widgets come on top.
HTML_MANAGER = 913_659


def sent(content: bytes, suffix: str = "") -> int:
    """Bytes that a web server sends of it."""
    return len(content) if suffix in PACKED else len(gzip.compress(content, 9, mtime=0))


def parts(page: Path) -> set[Path]:
    """The styles, scripts and pictures of the same site that a page asks for."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    asked: list[Any] = [tag["src"] for tag in soup.select("script[src], img[src]")]
    asked += [
        tag["href"] for tag in soup.select("link[href]") if {"stylesheet", "icon"} & set(tag.get("rel") or [])
    ]
    local = {re.split(r"[?#]", str(address))[0] for address in asked if not re.match(r"\w+:|//", address)}
    return {(page.parent / address).resolve() for address in local if address}


def weight(page: Path) -> int:
    """Bytes of a page with all that it asks for."""
    return sum(sent(file.read_bytes(), file.suffix) for file in {page.resolve(), *parts(page)})


def listed(root: Path) -> list[str]:
    """The pages of the table of contents."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(page["file"] for part in toc["parts"] for page in part["chapters"])]


def bare_site(folder: Path) -> Path:
    """The same text by Jupyter Book as it comes: its theme, no extension of ours, no notebook executed."""
    for name in listed(ROOT):
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
    """Each page of the book as it was last built, over the same text in the bare theme."""
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_site(Path(folder))
        for name in listed(ROOT):
            ours, theirs = weight(SITE / f"{name}.html"), weight(bare / f"{name}.html")
            yield compare(f"{name}.html", "the same text in the bare theme", ours, theirs, 1.0, "KB")


def demos() -> Iterator[Line]:
    """The demos of a page with their style and script, over ipywidgets' script for static pages."""
    for name in listed(ROOT):
        soup = BeautifulSoup((SITE / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        if found := soup.select(".explore"):
            ours = sent("".join(map(str, found)).encode())
            ours += sum(sent((SITE / "_static" / file).read_bytes()) for file in ("demo.js", "demo.css"))
            what = f"the sliders of {name}.html ({len(found)})"
            yield compare(what, "ipywidgets' script for static pages", ours, HTML_MANAGER, 0.1, "KB")
