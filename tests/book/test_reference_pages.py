"""The pages in which things are looked up (references, checked figures, the search), and what print uses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import tinycss2
import yaml
from bs4 import BeautifulSoup, Tag

from tests.small_books import ROOT

pytestmark = pytest.mark.site


def parsed(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def test_references_are_labelled_as_the_text_cites_them(site: Path) -> None:
    labels = {
        str(entry["id"]): entry.select(".label")[0].get_text().strip("[]")
        for entry in parsed(site / "book" / "references.html").select("div.citation")
    }
    assert len(set(labels.values())) == len(labels) > 10, "two entries have one label"
    cited = set()
    for page in [*site.glob("notebooks/*.html"), *site.glob("book/*.html")]:
        for link in parsed(page).select('article a[href*="references.html#"]'):
            name = str(link["href"]).partition("#")[2]
            cited.add(name)
            assert link.get_text() == labels[name], page
    assert cited == labels.keys()


def test_references_keep_the_capitals_of_names_and_link_by_their_titles(site: Path) -> None:
    page = parsed(site / "book" / "references.html")
    bibliography = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    titles = re.findall(r"^  title = \{(.+)\},$", bibliography, flags=re.M)
    linked = {link.get_text() for link in page.select("div.citation a.external")}
    assert {re.sub(r"[{}\\]", "", title) for title in titles} <= {title.replace("’", "'") for title in linked}


def page_lines(site: Path) -> list[Tag]:
    """The lines that say where a figure stands."""
    return parsed(site / "book" / "figures.html").select(".checked-where")


def test_checked_figures_show_no_raw_rows_and_name_what_is_no_sentence(site: Path) -> None:
    cards = parsed(site / "book" / "figures.html").select(".checked-figure")
    assert [card.get_text() for card in cards if " | " in card.get_text()] == []
    places = [emphasis.get_text() for card in cards for emphasis in card.select("em")]
    assert "In a table: " in places
    assert "In the words for a picture: " in places
    named = [line.get_text().removeprefix("Stated in ").split(", ") for line in page_lines(site)]
    assert not [pages for pages in named if len(set(pages)) < len(pages)]


def test_search_leads_to_the_chapter_that_is_about_it(site: Path) -> None:
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip().removesuffix(")"))
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    for page, words in config["book_search"].items():
        for word in words:
            assert [index["docnames"][place[0]] for place in index["indexentries"][word]] == [page], word
    assert "search.js" in (site / "search.html").read_text(encoding="utf-8")


def test_print_has_a_style_of_its_own_that_screens_do_not_use(site: Path) -> None:
    css = (site / "_static" / "site.css").read_text(encoding="utf-8")
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    own = ".bd-content details.hide:not([open])"  # only print.css speaks of it
    found = [rule for rule in rules if own in rule.serialize()]
    assert found
    for rule in found:
        assert rule.at_keyword == "media"
        assert tinycss2.serialize(rule.prelude).strip() == "print"


def test_the_introduction_states_how_long_the_chapters_take(site: Path) -> None:
    """Prose at 200 words a minute, code at 4 seconds a line, exercises left out; it may be off by a third."""
    rows = parsed(site / "book" / "intro.html").select("article table tbody tr")
    assert len(rows) == 4
    for row in rows:
        text = parsed(site / "book" / str(row.select("a")[0]["href"])).select("article")[0]
        for apart in text.select("#exercises, .self-check details"):
            apart.decompose()
        lines = sum(len(block.get_text().splitlines()) for block in text.select("pre"))
        for block in text.select("pre, math"):
            block.decompose()
        minutes = len(text.get_text().split()) / 200 + lines * 4 / 60
        stated = int(row.select("td")[-1].get_text().split()[0])
        assert stated == pytest.approx(minutes, rel=1 / 3), row.get_text()
