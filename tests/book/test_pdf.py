"""The book as one PDF: the joined pages, the browser that prints them, and the result."""

from __future__ import annotations

import re
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
from pypdf import PdfReader

from tests.small_books import ROOT


def test_links_of_a_joined_page_lead_into_the_joined_book_or_out_of_the_site() -> None:
    links = ("b.html#end", "#end", "b.html", "#n=400", "../_sources/a.ipynb", "https://example.org/")
    text = "<p id='end'>A</p>" + "".join(f"<a href='{link}'>link</a>" for link in links)
    page = Page("notebooks/a.html", BeautifulSoup(f"<article>{text}</article>", "html.parser"))
    joined = article(page, {"notebooks/a.html", "notebooks/b.html"}, "../html/")
    assert [tag["id"] for tag in joined.select("p")] == ["notebooks-a--end"]
    found = [link["href"] for link in joined.select("a")]
    assert found == ["#notebooks-b--end", "#notebooks-a--end", "#notebooks-b", "https://example.org/"]


def test_chromium_is_the_named_program_or_the_first_on_the_path_or_a_hint_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(ChromiumError, match="apt install chromium"):
        find_chromium()
    for name in ("google-chrome", "chromium", "mine"):
        (tmp_path / name).touch(mode=0o755)
    assert find_chromium() == str(tmp_path / "chromium")
    monkeypatch.setenv("CHROMIUM", "mine")
    assert find_chromium() == str(tmp_path / "mine")
    monkeypatch.setenv("CHROMIUM", "none")
    with pytest.raises(ChromiumError, match="CHROMIUM is none"):
        find_chromium()


@pytest.mark.site
def test_in_the_joined_book_each_id_is_one_each_link_leads_on_and_each_file_is_there(site: Path) -> None:
    soup = BeautifulSoup(document(read_pages(site), f"{site}/", "", {}), "html.parser")
    ids = Counter(str(tag["id"]) for tag in soup.find_all(id=True))
    assert [name for name, count in ids.items() if count > 1] == []
    assert [link for link in soup.select("a[href^='#']") if str(link["href"])[1:] not in ids] == []
    files = [str(tag.get("src") or tag.get("href")) for tag in soup.select("[src], link")]
    assert [file for file in files if not Path(file).is_file()] == []


@pytest.mark.slow
@pytest.mark.site
def test_pdf_has_metadata_tags_bookmarks_contents_and_every_chapter(site: Path, tmp_path: Path) -> None:
    find_chromium()
    make_pdf(site, tmp_path / "book.pdf", ROOT / "_config.yml")
    pdf = PdfReader(tmp_path / "book.pdf")
    assert pdf.metadata
    assert (pdf.metadata.author, pdf.metadata.creation_date) == ("the gpt2-teach authors", None)
    assert {"/Lang", "/StructTreeRoot"} <= pdf.root_object.keys()  # screen readers need both

    texts = [" ".join(page.extract_text().split()) for page in pdf.pages]
    assert [number for number, text in enumerate(texts, start=1) if len(text.split()) < 12] == []
    assert "Answer" in "".join(texts), "the folded answers"
    assert "Download this notebook" not in "".join(texts)
    assert [number for number, page in enumerate(pdf.pages, start=1) if len(page.images)] == []

    expected, numbers = headings(read_pages(site)), page_numbers(pdf)
    assert [mark.title for mark in _flat(pdf.outline)] == [text for _, text, _ in expected]
    for _, text, anchor in expected[1:]:
        assert re.search(rf"{re.escape(text)}\s*{numbers[anchor]}\b", " ".join(texts[1:3])), text
    resources: list[Any] = [page["/Resources"] for page in pdf.pages]
    fonts = {font.get_object()["/BaseFont"] for each in resources for font in each.get("/Font", {}).values()}
    # An embedded web font has no name of its own; a system font that is drawn as shapes is not listed at all.
    assert [name for name in fonts if "OTS" in name or "STIX" in name], fonts


def _flat(outline: list[Any]) -> list[Any]:
    return [mark for item in outline for mark in (_flat(item) if isinstance(item, list) else [item])]
