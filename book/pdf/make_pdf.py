"""Makes one PDF of the book from its built pages: make_pdf.py SITE PDF, run by `make pdf`.

Chromium prints it repeatedly until the page numbers in the contents are correct. No notebook is executed.
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

MAX_PRINTINGS = 4  # two are enough, unless the page numbers in the contents change a page break


def make_pdf(site: Path, pdf: Path, config: Path) -> int:
    """Print the built `site` to `pdf`; return the number of pages."""
    pages = read_pages(site)
    pdf.parent.mkdir(parents=True, exist_ok=True)
    page = pdf.with_suffix(".html")
    base = os.path.relpath(site, page.parent).replace(os.sep, "/") + "/"
    style = Path(__file__).with_name("pdf.css").read_text(encoding="utf-8")
    book = yaml.safe_load(config.read_text(encoding="utf-8"))
    about = book["sphinx"]["config"]["book_description"]
    numbers: dict[str, int] = {}
    for _ in range(MAX_PRINTINGS):
        page.write_text(document(pages, base, style, about, numbers), encoding="utf-8")
        print_page(page, pdf)
        found = page_numbers(PdfReader(pdf))
        if found == numbers:
            break
        numbers = found
    page.unlink()
    metadata = {"/Title": book["title"], "/Author": book["author"], "/Subject": about}
    language = str(pages[0].select_one("html")["lang"])
    return add_bookmarks_and_metadata(pdf, metadata, language, headings(pages))


if __name__ == "__main__":
    site, pdf = map(Path, sys.argv[1:])
    try:
        count = make_pdf(site, pdf, Path("_config.yml"))
    except ChromiumError as error:
        sys.exit(str(error))
    sys.stdout.write(f"The book as one PDF of {count} pages: {pdf}\n")
