"""Makes one PDF of the book from its built pages: make_pdf.py SITE PDF, run by `make pdf`.

Chromium prints it twice: the first printing gives the page numbers for the contents. No notebook is executed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import yaml
from bookmarks_and_metadata import add_bookmarks_and_metadata, page_numbers
from chromium import ChromiumError, print_page
from cover_and_contents import document, headings
from join_pages import read_pages
from pypdf import PdfReader


def make_pdf(site: Path, pdf: Path, config: Path) -> int:
    """Print the built `site` to `pdf`; return the number of pages."""
    pages = read_pages(site)
    pdf.parent.mkdir(parents=True, exist_ok=True)
    page = pdf.with_suffix(".html")
    base = f"{Path(os.path.relpath(site, page.parent)).as_posix()}/"
    book = yaml.safe_load(config.read_text(encoding="utf-8"))
    about = book["sphinx"]["config"]["book_description"]
    numbers: dict[str, int] = {}
    for _ in range(2):
        page.write_text(document(pages, base, about, numbers), encoding="utf-8")
        print_page(page, pdf)
        numbers = page_numbers(PdfReader(pdf))
    page.unlink()
    metadata = {"/Title": book["title"], "/Author": book["author"], "/Subject": about}
    return add_bookmarks_and_metadata(pdf, metadata, headings(pages))


if __name__ == "__main__":
    site, pdf = map(Path, sys.argv[1:])
    try:
        count = make_pdf(site, pdf, Path("_config.yml"))
    except ChromiumError as error:
        sys.exit(str(error))
    sys.stdout.write(f"The book as one PDF of {count} pages: {pdf}\n")
