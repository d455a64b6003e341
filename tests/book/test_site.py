"""The built pages, parsed without a browser."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

pytestmark = pytest.mark.site


@cache
def parsed(path: Path) -> BeautifulSoup:
    """Parse a page."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def text(element: Tag, name: str) -> str:
    """Return an attribute, or an empty string."""
    return str(element.get(name) or "")


@cache
def anchors(path: Path) -> Counter[str]:
    """Count the names in a page that a link can point to."""
    soup = parsed(path)
    ids = [text(element, "id") for element in soup.find_all(id=True)]
    named = [text(element, "name") for element in soup.find_all("a", attrs={"name": True})]
    return Counter(ids + named)


@cache
def positions(path: Path) -> dict[str, list[str]]:
    """Return the values of each demo parameter, which a page's URL may set."""
    found: dict[str, list[str]] = {}
    for script in parsed(path).select(".explore > script"):
        for name, _, values in json.loads(script.get_text())["parameters"]:
            assert name not in found, f"{path.name}: two demos have the parameter {name}"
            found[name] = values
    return found


def fragment_resolves(path: Path, fragment: str) -> bool:
    """Check whether a page has an anchor with that name, or a demo with that position."""
    if fragment in anchors(path):
        return True
    parameters = parse_qs(fragment, strict_parsing=True)
    return all(value in positions(path).get(name, []) for name, (value,) in parameters.items())


def pages(site: Path) -> list[Path]:
    """Return every page except redirects."""
    found = sorted(path for path in site.rglob("*.html") if "_static" not in path.relative_to(site).parts)
    return [
        path
        for path in found
        if parsed(path).h1 or not parsed(path).find("meta", attrs={"http-equiv": "Refresh"})
    ]


def chapters(site: Path) -> list[Path]:
    """Return the pages made from notebooks."""
    return [path for path in pages(site) if path.parent.name == "notebooks"]


def test_every_page_of_the_contents_is_built(site: Path) -> None:
    toc = (site.parent.parent / "_toc.yml").read_text(encoding="utf-8")
    for name in re.findall(r"(?:file|root): (\S+)", toc):
        assert (site / f"{name}.html").is_file(), name


def test_w8_every_image_has_a_text_alternative(site: Path) -> None:
    faults = []
    for page in pages(site):
        for image in parsed(page).find_all("img"):
            alt = text(image, "alt").strip()
            if len(alt) < 20 or " " not in alt or re.search(r"\.(png|svg|jpe?g)$", alt) or "_images/" in alt:
                faults.append(f"{page.name}: {text(image, 'src')} has the alternative {alt!r}")
    assert faults == []


def test_every_page_has_one_title_and_a_description(site: Path) -> None:
    faults = []
    for page in pages(site):
        soup = parsed(page)
        titles = soup.select("h1:not(.onlyprint h1)")  # the theme repeats the title for print alone
        if len(titles) != 1:
            faults.append(f"{page.name}: {[title.get_text() for title in titles]}")
        if not soup.title or not soup.title.get_text().strip():
            faults.append(f"{page.name}: no title")
        if not soup.html or text(soup.html, "lang") != "en":
            faults.append(f"{page.name}: no language")
        for attribute, name in (
            ("name", "description"),
            ("property", "og:title"),
            ("property", "og:description"),
        ):
            found = soup.find_all("meta", attrs={attribute: name})
            if len(found) != 1 or not 4 <= len(text(found[0], "content")) <= 400:
                faults.append(f"{page.name}: {name} {[text(tag, 'content') for tag in found]}")
    assert faults == []


def test_pages_differ_in_their_descriptions(site: Path) -> None:
    described = [parsed(page).find("meta", attrs={"name": "description"}) for page in chapters(site)]
    contents = [text(tag, "content") for tag in described if isinstance(tag, Tag)]
    assert len(set(contents)) == len(chapters(site))


def test_every_link_and_anchor_inside_the_book_resolves(site: Path) -> None:
    faults = []
    for page in pages(site):
        for element in parsed(page).find_all(["a", "img", "script", "link", "source"]):
            target = text(element, "href") or text(element, "src")
            parts = urlsplit(target)
            if not target or target == "#" or parts.scheme or parts.netloc:
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if file.is_dir():
                file /= "index.html"
            if not file.is_file():
                faults.append(f"{page.name}: the target of {target} does not exist")
            elif parts.fragment and file.suffix == ".html" and not fragment_resolves(file, parts.fragment):
                faults.append(f"{page.name}: the target of {target} has no such anchor")
    assert faults == []


def test_ids_are_unique_on_their_page(site: Path) -> None:
    for page in pages(site):
        assert [name for name, times in anchors(page).items() if times > 1] == [], page.name


def test_b2_no_unintended_error_is_shown(site: Path) -> None:
    for page in chapters(site):
        soup = parsed(page)
        assert not soup.select(".cell_output .stderr"), f"{page.name}: a cell wrote to stderr"
        for cell in soup.select("div.cell"):
            failed = cell.select(".traceback") or "Traceback (most recent call last)" in cell.get_text()
            assert not failed or "tag_raises-exception" in text(cell, "class") + " ".join(
                cell.get_attribute_list("class")
            ), f"{page.name}: {cell.get_text()[:200]}"


def test_b5_no_link_to_an_unknown_address(site: Path) -> None:
    for page in pages(site):
        soup = parsed(page)
        assert not soup.select(
            ".dropdown-launch-buttons, .dropdown-source-buttons .btn-source-repository-button"
        )
        for link in soup.find_all("a", href=True):
            assert "executablebooks/jupyter-book" not in text(link, "href"), page.name


def test_every_chapter_draws_and_every_figure_has_a_caption(site: Path) -> None:
    for page in chapters(site):
        figures = parsed(page).select("figure")
        assert figures, page.name
        for figure in figures:
            assert figure.figcaption, f"{page.name}: a figure without a caption"
            assert figure.figcaption.get_text().strip(), f"{page.name}: an empty caption"


def test_each_page_has_the_style_and_the_icon_of_the_book(site: Path) -> None:
    for page in pages(site):
        links = [text(link, "href") for link in parsed(page).find_all("link")]
        assert any("_static/site.css" in link for link in links), page.name  # book.css and the theme's in one
        assert any("_static/favicon.svg" in link for link in links), page.name
