"""The pages of the book that hold prose: Markdown files and the Markdown cells of notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from checked_numbers.markdown_sentences import Piece, heading, sentences


@dataclass(frozen=True)
class Page:
    """One page and its sentences, in reading order."""

    stem: str  # its file's name without suffix: how the ledger names it
    document: str  # its path from the book's root without suffix: how Sphinx names it
    path: Path
    title: str
    sentences: list[list[Piece]]
    described: frozenset[int] = frozenset()  # which of them say in words what a picture shows


def read_book(root: Path) -> list[Page]:
    """Every page of prose: `notebooks/*.ipynb`, `book/*.md` and `README.md`.

    Raises ValueError if two have the same stem.
    """
    paths = [*sorted((root / "notebooks").glob("*.ipynb")), *sorted((root / "book").glob("*.md"))]
    paths.sort(key=lambda path: path.stem != "intro")  # a reader meets it first
    pages = [read_page(path, root) for path in [*paths, root / "README.md"] if path.is_file()]
    stems = [page.stem for page in pages]
    if twice := {stem for stem in stems if stems.count(stem) > 1}:
        raise ValueError(f"two pages are named {', '.join(sorted(twice))}: the ledger cannot tell them apart")
    return pages


def read_page(path: Path, root: Path) -> Page:
    """The prose of one page. Raises ValueError or KeyError if a notebook is none."""
    texts = list(_texts(path))
    title = next((title for text, _ in texts if (title := heading(text))), path.stem)
    document = path.relative_to(root).with_suffix("").as_posix()
    found = [(sentence, is_alt) for text, is_alt in texts for sentence in sentences(text)]
    described = frozenset(index for index, (_, is_alt) in enumerate(found) if is_alt)
    return Page(path.stem, document, path, title, [sentence for sentence, _ in found], described)


def code(path: Path) -> str:
    """The code of a notebook, one cell after the other."""
    return "\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
    )


def _texts(path: Path) -> Iterator[tuple[str, bool]]:
    """The texts of a page, each with whether it is the alternative of a picture."""
    if path.suffix != ".ipynb":
        yield path.read_text(encoding="utf-8"), False
        return
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield cell.source, False
        shown = cell.metadata.get("mystnb", {})
        if alt := shown.get("image", {}).get("alt"):
            yield alt, True
        if caption := shown.get("figure", {}).get("caption"):
            yield caption, False
