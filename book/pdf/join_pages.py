"""Joins the texts of the built pages into one page for the printer.

Sphinx's own `singlehtml` would do this from the sources; but there, the sections "Summary" and "Exercises"
that every chapter has fall on one id, and links to them lead to the first. Here each id is preceded by its
page's name.
"""

from __future__ import annotations

import copy
import posixpath
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

HOME = "book/intro.html"
DROPPED = "script, .headerlink, .copybtn, .only-screen"


@dataclass(frozen=True)
class Page:
    """A page of the site: its path in it, and what it holds."""

    path: str
    soup: BeautifulSoup

    def one(self, selector: str) -> Tag:
        """The first element that the selector finds."""
        found = self.soup.select_one(selector)
        assert found is not None, f"{self.path} has no {selector}"
        return found

    def resolve(self, address: str) -> str:
        """The path in the site of what this page calls by a relative address."""
        path = unquote(urlsplit(address).path)
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)) if path else self.path


def read_pages(site: Path) -> list[Page]:
    """All pages, in the order of the sidebar."""

    def page(path: str) -> Page:
        return Page(path, BeautifulSoup((site / path).read_text(encoding="utf-8"), "html.parser"))

    home = page(HOME)
    links = [str(link["href"]) for link in home.soup.select("nav.bd-docs-nav a.internal")]
    return [home, *(page(home.resolve(link)) for link in links if link != "#")]


def plain(element: Tag) -> str:
    """The element's words, without the sign that links to a heading."""
    element = copy.copy(element)
    for link in element.select(".headerlink"):
        link.decompose()
    return " ".join(element.get_text().split())


def place(path: str, fragment: str = "") -> str:
    """What the id `fragment` of the page at `path`, or its beginning, is called in the joined page."""
    name = path.removesuffix(".html").replace("/", "-")
    return f"{name}--{fragment}" if fragment else name


def article(page: Page, paths: Collection[str], base: str) -> Tag:
    """The text of a page, for a joined page of all `paths`, from which `base` leads to the site."""
    text = copy.copy(page.one("article"))
    for tag in text.select(DROPPED):
        tag.decompose()
    for tag in text.find_all(True):
        for name, value in tag.attrs.items():
            if name == "id":
                tag[name] = place(page.path, str(value))
            elif name in ("aria-labelledby", "aria-describedby"):
                tag[name] = " ".join(place(page.path, part) for part in str(value).split())
            elif name == "src" and not urlsplit(str(value)).scheme:
                tag[name] = base + page.resolve(str(value))
            elif name.endswith("href") and tag.name == "use" and str(value).startswith("#"):
                tag[name] = "#" + place(page.path, str(value)[1:])
            elif isinstance(value, str) and "url(#" in value:
                tag[name] = re.sub(r"url\(#(.+?)\)", lambda id_: f"url(#{place(page.path, id_[1])})", value)
    for link in text.find_all("a", href=True):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc:
            continue
        if "=" in parts.fragment:  # a position of a slider: on paper nothing moves
            link.unwrap()
        elif (target := page.resolve(str(link["href"]))) in paths:
            link["href"] = "#" + place(target, parts.fragment)
        else:
            link.unwrap()  # to a file of the site, which the PDF does not have
    text["id"] = place(page.path)
    return text


def styles(pages: list[Page]) -> list[str]:
    """The paths in the site of every style that a page has, in order, once each."""
    links = [
        page.resolve(str(link["href"]))
        for page in pages
        for link in page.soup.select('link[rel="stylesheet"]')  # formulas have theirs at the end
    ]
    return list(dict.fromkeys(links))
