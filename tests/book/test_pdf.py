"""The book as one PDF: the joined pages, the browser that prints them, and the result."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bookmarks_and_metadata import page_numbers
from bs4 import BeautifulSoup
from chromium import ChromiumError, find_chromium
from cover_and_contents import document, headings
from join_pages import Page, article, read_pages
from make_pdf import make_pdf
from pypdf import PageObject, PdfReader

from tests.small_books import ROOT


def page(path: str, text: str) -> Page:
    return Page(path, BeautifulSoup(f"<article><h1>{path}</h1>{text}</article>", "html.parser"))


def test_ids_and_links_of_a_joined_page_carry_the_name_of_the_page_that_they_come_from() -> None:
    text = '<p id="end">A</p><a href="b.html#end">b</a><a href="#end">here</a><a href="b.html">all of b</a>'
    text += '<a href="#n=400">a position</a>'
    joined = article(page("notebooks/a.html", text), {"notebooks/a.html", "notebooks/b.html"}, "../html/")
    assert [tag["id"] for tag in joined.select("p")] == ["notebooks-a--end"]
    links = [link["href"] for link in joined.select("a")]
    assert links == ["#notebooks-b--end", "#notebooks-a--end", "#notebooks-b"]


def test_pictures_are_found_drawings_stay_whole_and_files_of_the_site_are_not_linked() -> None:
    text = (
        '<img src="../_images/x.svg"><a href="../_sources/a.ipynb">file</a><a href="https://example.org/">out</a>'
        '<svg><clipPath id="c"></clipPath><g clip-path="url(#c)"></g><use href="#c"></use></svg>'
    )
    joined = article(page("notebooks/a.html", text), {"notebooks/a.html"}, "../html/")
    assert joined.select("img")[0]["src"] == "../html/_images/x.svg"
    assert [link["href"] for link in joined.select("a")] == ["https://example.org/"]
    assert joined.select("g")[0]["clip-path"] == "url(#notebooks-a--c)"
    assert joined.select("use")[0]["href"] == "#notebooks-a--c"


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


def test_chromium_is_the_named_program_or_the_first_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("google-chrome", "chromium", "mine"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert find_chromium() == str(tmp_path / "chromium")
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "mine"))
    assert find_chromium() == str(tmp_path / "mine")


@pytest.mark.site
def test_in_the_joined_book_each_id_is_one_each_link_leads_on_and_each_picture_is_there(site: Path) -> None:
    pages = read_pages(site)
    assert len(pages) == len(re.findall("(?:file|root): ", (ROOT / "_toc.yml").read_text(encoding="utf-8")))
    soup = BeautifulSoup(document(pages, f"{site}/", "", "", {}), "html.parser")
    ids = Counter(str(tag["id"]) for tag in soup.find_all(id=True))
    assert [name for name, count in ids.items() if count > 1] == []
    links = [str(link["href"]) for link in soup.select("a[href^='#']")]
    assert [link for link in links if link[1:] not in ids] == []
    assert len(links) > 50
    sources = [str(tag["src"]) for tag in soup.find_all(src=True)]
    assert [source for source in sources if not Path(source).is_file()] == []
    styles = [str(link["href"]) for link in soup.select('link[rel="stylesheet"]')]
    assert [style for style in styles if not Path(style).is_file()] == []


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


@pytest.mark.slow
@pytest.mark.site
def test_pdf_sets_formulas_in_the_font_that_the_pages_bring(printed: PdfReader) -> None:
    fonts = set()
    for page in printed.pages:
        resources: Any = page["/Resources"]
        fonts |= {font.get_object()["/BaseFont"] for font in resources.get("/Font", {}).values()}
    # An embedded web font has no name of its own; a system font that is drawn as shapes is not listed at all.
    assert [name for name in fonts if "OTS" in name or "STIX" in name], fonts


def _text(page: PageObject) -> str:
    """A page's words, without ligatures."""
    return unicodedata.normalize("NFKC", page.extract_text())


def _flat(outline: list[Any]) -> list[Any]:
    return [mark for item in outline for mark in (_flat(item) if isinstance(item, list) else [item])]
