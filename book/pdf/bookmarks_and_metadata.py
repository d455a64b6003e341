"""Adds bookmarks and metadata (title, author, language) to the PDF that Chromium printed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    BooleanObject,
    DictionaryObject,
    Fit,
    IndirectObject,
    NameObject,
    TextStringObject,
)

Heading = tuple[int, str, str]  # level, text and anchor


def page_numbers(reader: PdfReader) -> dict[str, int]:
    """Return the page number of each named destination, the target of links."""
    found = {}
    for name, destination in reader.named_destinations.items():
        if (number := reader.get_destination_page_number(destination)) is not None:
            found[name.removeprefix("/")] = number + 1
    return found


def add_bookmarks_and_metadata(
    pdf: Path, metadata: Mapping[str, str], language: str, headings: list[Heading]
) -> int:
    """Add bookmarks and metadata, without the time of printing; return the number of pages.

    Chromium's own bookmarks lack the space at a line break in a heading.
    """
    reader = PdfReader(pdf)
    numbers, destinations = page_numbers(reader), reader.named_destinations
    writer = PdfWriter(clone_from=pdf)
    parent: IndirectObject | None = None
    for level, text, anchor in headings:
        bookmark = writer.add_outline_item(
            title=text,
            page_number=numbers[anchor] - 1,
            parent=parent if level > 1 else None,
            fit=Fit.xyz(top=float(destinations[f"/{anchor}"].top or 0)),
            is_open=False,
        )
        parent = bookmark if level == 1 else parent
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    date = datetime.fromtimestamp(int(epoch), UTC).strftime("D:%Y%m%d%H%M%SZ") if epoch else None
    writer.metadata = {**metadata, **({"/CreationDate": date} if date else {})}
    root = writer.root_object
    root[NameObject("/Lang")] = TextStringObject(language)
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    root[NameObject("/ViewerPreferences")] = DictionaryObject(
        {NameObject("/DisplayDocTitle"): BooleanObject(True)}
    )
    writer.write(pdf)
    return len(writer.pages)
