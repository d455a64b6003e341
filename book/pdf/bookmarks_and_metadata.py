"""What Chromium leaves out of a PDF: bookmarks whose words are whole, the author, the language."""

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

Heading = tuple[int, str, str]  # its level, its words, and the place that it stands at


def page_numbers(reader: PdfReader) -> dict[str, int]:
    """The number of the page that each named destination, which links lead to, lies on."""
    found = {}
    for name, destination in reader.named_destinations.items():
        if (number := reader.get_destination_page_number(destination)) is not None:
            found[name.removeprefix("/")] = number + 1
    return found


def finish(pdf: Path, metadata: Mapping[str, str], language: str, headings: list[Heading]) -> int:
    """Complete the PDF, without the time at which it was printed; the number of its pages is returned.

    Chromium makes bookmarks, too, but loses the space where a heading is wrapped.
    """
    reader = PdfReader(pdf)
    numbers, destinations = page_numbers(reader), reader.named_destinations
    writer = PdfWriter(clone_from=pdf)
    above: IndirectObject | None = None
    for level, words, place in headings:
        mark = writer.add_outline_item(
            title=words,
            page_number=numbers[place] - 1,
            parent=above if level > 1 else None,
            fit=Fit.xyz(top=float(destinations[f"/{place}"].top or 0)),
            is_open=False,
        )
        above = mark if level == 1 else above
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    made = datetime.fromtimestamp(int(epoch), UTC).strftime("D:%Y%m%d%H%M%SZ") if epoch else None
    writer.metadata = {**metadata, **({"/CreationDate": made} if made else {})}
    root = writer.root_object
    root[NameObject("/Lang")] = TextStringObject(language)
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    root[NameObject("/ViewerPreferences")] = DictionaryObject(
        {NameObject("/DisplayDocTitle"): BooleanObject(True)}
    )
    writer.write(pdf)
    return len(writer.pages)
