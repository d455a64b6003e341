"""The built pages, parsed without a browser."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup, Tag

from tests.small_books import ROOT

pytestmark = pytest.mark.site


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def text(element: Tag, name: str) -> str:
    """Return an attribute, or an empty string."""
    return str(element.get(name) or "")


@cache
def anchors(path: Path) -> Counter[str]:
    """Count the names in a page that a link can point to."""
    return Counter(text(element, "id") for element in parsed(path).find_all(id=True))


def has_target(path: Path, fragment: str) -> bool:
    """Check whether a page has an anchor of that name, or demos with the values that the fragment sets."""
    if fragment in anchors(path):
        return True
    scripts = parsed(path).select(".explore > script")
    found = {p[0]: p[2] for script in scripts for p in json.loads(script.get_text())["parameters"]}
    return all(
        value in found.get(name, []) for name, (value,) in parse_qs(fragment, strict_parsing=True).items()
    )


def pages(site: Path) -> list[Path]:
    """Return every page except the redirect to the first one."""
    found = [path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts]
    return sorted(path for path in found if path != site / "index.html")


def chapters(site: Path) -> list[Path]:
    """Return the pages made from notebooks."""
    return sorted(site.glob("notebooks/*.html"))


def test_w8_every_image_has_a_text_alternative(site: Path) -> None:
    faults = []
    for page in pages(site):
        for image in parsed(page).find_all("img"):
            alt = text(image, "alt").strip()
            if len(alt) < 20 or " " not in alt or re.search(r"\.(png|svg|jpe?g)$", alt) or "_images/" in alt:
                faults.append(f"{page.name}: {text(image, 'src')} has the alternative {alt!r}")
    assert faults == []


def test_every_page_has_a_language_one_title_an_icon_and_a_description_of_its_own(site: Path) -> None:
    described = []
    for page in pages(site):
        soup = parsed(page)
        assert len(soup.select("h1:not(.onlyprint h1)")) == 1, page.name  # the theme repeats it for print
        assert soup.select("html[lang=en] title"), page.name
        assert soup.select("link[href*='favicon.svg']"), page.name
        (description,) = soup.select("meta[name=description]")
        described.append(text(description, "content"))
    assert min(map(len, described)) >= 60
    assert len(set(described)) >= len(pages(site)) - 1  # references and search have the book's


def test_every_link_and_anchor_inside_the_book_resolves(site: Path) -> None:
    faults = []
    for page in pages(site):
        for element in parsed(page).find_all(["a", "img", "script", "link", "source"]):
            target = text(element, "href") or text(element, "src")
            parts = urlsplit(target)
            if not target or target == "#" or parts.scheme or parts.netloc:
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not file.is_file():
                faults.append(f"{page.name}: the target of {target} does not exist")
            elif parts.fragment and file.suffix == ".html" and not has_target(file, parts.fragment):
                faults.append(f"{page.name}: the target of {target} has no such anchor")
    assert faults == []


def test_ids_are_unique_on_their_page(site: Path) -> None:
    for page in pages(site):
        assert [name for name, times in anchors(page).items() if times > 1] == [], page.name


def test_b2_no_unintended_error_is_shown(site: Path) -> None:
    for page in chapters(site):
        assert not parsed(page).select(".cell_output .stderr"), f"{page.name}: a cell wrote to stderr"
        for cell in parsed(page).select("div.cell:not(.tag_raises-exception)"):
            assert "Traceback (most recent call last)" not in cell.get_text(), page.name


def test_every_chapter_draws_and_every_figure_has_a_caption(site: Path) -> None:
    for page in chapters(site):
        assert parsed(page).select("figure"), page.name
        for figure in parsed(page).select("figure"):
            assert figure.figcaption, f"{page.name}: a figure without a caption"
            assert figure.figcaption.get_text().strip(), f"{page.name}: an empty caption"


def test_references_are_labelled_as_the_text_cites_them_and_keep_the_case_of_titles(site: Path) -> None:
    references = parsed(site / "book" / "references.html")
    labels = {
        text(entry, "id"): entry.select(".label")[0].get_text().strip("[]")
        for entry in references.select("div.citation")
    }
    assert len(set(labels.values())) == len(labels) > 10, "two entries have one label"
    for page in pages(site):
        for link in parsed(page).select('article a[href*="references.html#"]'):
            assert link.get_text() == labels[text(link, "href").partition("#")[2]], page
    bibliography = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    titles = re.findall(r"^  title = \{(.+)\},$", bibliography, flags=re.M)
    linked = {link.get_text().replace("’", "'") for link in references.select("div.citation a.external")}
    assert {re.sub(r"[{}\\]", "", title) for title in titles} <= linked


def test_search_leads_to_the_chapter_that_is_about_it(site: Path) -> None:
    script = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    for page, words in config["book_search"].items():
        for word in words:
            assert [index["docnames"][place[0]] for place in index["indexentries"][word]] == [page], word
    assert "thaw" in index["terms"]  # of a solution
    markup = re.compile(r"data-|self-check|autocomplet|fieldset|&|<|solution-(start|end)|spellcheck")
    assert [term for term in index["terms"] if markup.search(term)] == []
