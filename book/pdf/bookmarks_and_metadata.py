"""Adds bookmarks and metadata to the PDF that Chromium printed."""

from __future__ import annotations

from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import Fit, IndirectObject, NameObject

Heading = tuple[int, str, str]  # level, text and anchor


def page_numbers(pdf: PdfReader) -> dict[str, int]:
    """Return the page number of each named destination, the target of links."""
    found = {}
    for name, destination in pdf.named_destinations.items():
        if (number := pdf.get_destination_page_number(destination)) is not None:
            found[name.removeprefix("/")] = number + 1
    return found


def add_bookmarks_and_metadata(pdf: Path, metadata: dict[str, str], headings: list[Heading]) -> int:
    """Add bookmarks and metadata, without the time of printing; return the number of pages.

    Chromium's own bookmarks lack the space at a line break in a heading.
    """
    reader = PdfReader(pdf)
    numbers, destinations = page_numbers(reader), reader.named_destinations
    writer = PdfWriter(clone_from=reader)
    chapter: IndirectObject | None = None
    for level, text, anchor in headings:
        bookmark = writer.add_outline_item(
            title=text,
            page_number=numbers[anchor] - 1,
            parent=chapter if level > 1 else None,
            fit=Fit.xyz(top=float(destinations[f"/{anchor}"].top or 0)),
            is_open=False,
        )
        chapter = bookmark if level == 1 else chapter
    writer.metadata = metadata
    writer.root_object[NameObject("/PageMode")] = NameObject("/UseOutlines")
    writer.write(pdf)
    return len(writer.pages)
