"""The book as one PDF: the joined pages, the browser that prints them, and the result."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from bookmarks_and_metadata import page_numbers
from bs4 import BeautifulSoup
from chromium import ChromiumError, find_chromium
from cover_and_contents import headings
from join_pages import Page, read_pages
from make_pdf import make_pdf
from pypdf import PageObject, PdfReader

from tests.small_books import ROOT


def page(path: str, text: str) -> Page:
    return Page(path, BeautifulSoup(f"<article><h1>{path}</h1>{text}</article>", "html.parser"))


def test_a_missing_chromium_is_reported_with_a_hint_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(ChromiumError, match="apt install chromium"):
        find_chromium()
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    with pytest.raises(ChromiumError, match=r"CHROMIUM is .*none"):
        find_chromium()


@pytest.fixture(scope="module")
def printed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    """The PDF of the whole book; it takes half a minute."""
    try:
        find_chromium()
    except ChromiumError as error:
        pytest.skip(str(error))
    pdf = tmp_path_factory.mktemp("pdf") / "book.pdf"
    make_pdf(site, pdf, ROOT / "_config.yml")
    return PdfReader(pdf)


@pytest.mark.slow
@pytest.mark.site
def test_pdf_has_title_author_and_language(printed: PdfReader) -> None:
    assert printed.metadata is not None
    assert printed.metadata.title is not None
    assert printed.metadata.title.startswith("Shared and Scaled: ")
    assert printed.metadata.author == "the gpt2-teach authors"
    assert printed.metadata.creation_date is None or os.environ.get("SOURCE_DATE_EPOCH")
    root = printed.root_object
    assert str(root["/Lang"]) == "en"
    assert "/StructTreeRoot" in root, "it is not tagged, so that screen readers cannot read it in order"


@pytest.mark.slow
@pytest.mark.site
def test_pdf_has_every_chapter_and_no_page_is_blank(printed: PdfReader, site: Path) -> None:
    texts = [_text(page) for page in printed.pages]
    assert 40 < len(texts) < 200
    assert [number for number, text in enumerate(texts, start=1) if len(text.split()) < 12] == []
    whole = " ".join(" ".join(texts).split())
    for level, words, _ in headings(read_pages(site)):
        assert level > 1 or words in whole, words
    for unwanted in ("Download this notebook", "Show code cell", "Skip to main content"):
        assert unwanted not in whole
    assert whole.count("Answer") >= 2, "the folded answers"


@pytest.mark.slow
@pytest.mark.site
def test_pdf_bookmarks_contents_and_links_lead_where_they_say(printed: PdfReader, site: Path) -> None:
    marks = _flat(printed.outline)
    expected = headings(read_pages(site))
    assert [mark.title for mark in marks] == [words for _, words, _ in expected]

    destinations = {name.removeprefix("/") for name in printed.named_destinations}
    links = [
        str(annotation["/Dest"]).removeprefix("/")
        for page in printed.pages
        for annotation in (item.get_object() for item in page.get("/Annots", []))
        if annotation.get("/Subtype") == "/Link" and "/Dest" in annotation
    ]
    assert len(links) > 100
    assert [link for link in links if link not in destinations] == []

    addresses = [
        str(annotation["/A"]["/URI"])
        for page in printed.pages
        for annotation in (item.get_object() for item in page.get("/Annots", []))
        if "/URI" in annotation.get("/A", {})
    ]
    assert [address for address in addresses if not address.startswith("https://")] == []

    # The page numbers in the contents match the targets of their links.
    numbers = page_numbers(printed)
    contents = " ".join(_text(printed.pages[number]) for number in (1, 2))
    for _, words, place in expected[1:]:
        assert re.search(rf"{re.escape(words)}\s*{numbers[place]}\b", contents), words


@pytest.mark.slow
@pytest.mark.site
def test_pdf_figures_are_drawn_and_not_made_of_dots(printed: PdfReader, site: Path) -> None:
    assert [number for number, page in enumerate(printed.pages, start=1) if len(page.images)] == []
    figures = sum(len(page.soup.select("article figure img")) for page in read_pages(site))
    captions = sum(len(re.findall(r"Fig\. [\d.]+\s", page.extract_text())) for page in printed.pages)
    assert captions >= figures > 10


def _text(page: PageObject) -> str:
    """A page's words, without ligatures."""
    return unicodedata.normalize("NFKC", page.extract_text())


def _flat(outline: list[Any]) -> list[Any]:
    return [mark for item in outline for mark in (_flat(item) if isinstance(item, list) else [item])]
