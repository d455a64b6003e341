"""Reads the book's pages of prose: Markdown files and the Markdown cells of notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat

from checked_numbers.markdown_sentences import Piece, first_heading, sentences


@dataclass(frozen=True)
class Page:
    """A page and its sentences, in reading order."""

    stem: str  # the ledger's name for it: its file name without suffix
    document: str  # Sphinx's name for it: its path from the book's root without suffix
    path: Path
    title: str
    sentences: list[list[Piece]]
    alt_texts: frozenset[int] = frozenset()  # indices of the sentences that are a picture's text alternative


def read_book(root: Path) -> list[Page]:
    """Read every page of prose: `notebooks/*.ipynb`, `book/*.md` and `README.md`.

    Raises ValueError if two have the same stem.
    """
    paths = [*sorted((root / "notebooks").glob("*.ipynb")), *sorted((root / "book").glob("*.md"))]
    paths.sort(key=lambda path: path.stem != "intro")  # the introduction comes first
    pages = [read_page(path, root) for path in [*paths, root / "README.md"] if path.is_file()]
    stems = [page.stem for page in pages]
    if repeated := {stem for stem in stems if stems.count(stem) > 1}:
        raise ValueError(
            f"two pages are named {', '.join(sorted(repeated))}: page names in the ledger must be unique"
        )
    return pages


def read_page(path: Path, root: Path) -> Page:
    """Read the prose of one page. Raises ValueError or KeyError if a notebook is invalid."""
    texts = list(_texts(path))
    title = next((title for text, _ in texts if (title := first_heading(text))), path.stem)
    document = path.relative_to(root).with_suffix("").as_posix()
    found = [(sentence, is_alt) for text, is_alt in texts for sentence in sentences(text)]
    alt_texts = frozenset(index for index, (_, is_alt) in enumerate(found) if is_alt)
    return Page(path.stem, document, path, title, [sentence for sentence, _ in found], alt_texts)


def notebook_code(path: Path) -> str:
    """Return the code of a notebook's cells, joined."""
    return "\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
    )


def _texts(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a page, each with whether it is a picture's text alternative."""
    if path.suffix != ".ipynb":
        yield path.read_text(encoding="utf-8"), False
        return
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            yield cell.source, False
        metadata = cell.metadata.get("mystnb", {})
        if alt := metadata.get("image", {}).get("alt"):
            yield alt, True
        if caption := metadata.get("figure", {}).get("caption"):
            yield caption, False
