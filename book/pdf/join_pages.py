"""Joins the articles of the built pages into one page to print.

Sphinx's `singlehtml` joins the sources, but gives the sections "Summary" and "Exercises" of all chapters the
same id, so that links to them lead to the first. Here each id is prefixed with its page's name.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

HOME = "book/intro.html"
REMOVED = "script, .headerlink, .copybtn, .only-screen"


@dataclass(frozen=True)
class Page:
    """A page of the site."""

    path: str  # relative to the site
    soup: BeautifulSoup

    def select_one(self, selector: str) -> Tag:
        """Return the first element that matches, which must exist."""
        found = self.soup.select_one(selector)
        assert found is not None, f"{self.path} has no {selector}"
        return found

    def resolve(self, url: str) -> str:
        """Return the path in the site of a relative URL of this page."""
        path = unquote(urlsplit(url).path)
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)) if path else self.path


def read_pages(site: Path) -> list[Page]:
    """Read all pages, in the order of the sidebar."""

    def page(path: str) -> Page:
        return Page(path, BeautifulSoup((site / path).read_text(encoding="utf-8"), "html.parser"))

    home = page(HOME)
    links = [str(link["href"]) for link in home.soup.select("nav.bd-docs-nav a.internal")]
    return [home, *(page(home.resolve(link)) for link in links if link != "#")]


def heading_text(element: Tag) -> str:
    """Return a heading's text, without its link."""
    element = copy.copy(element)
    for link in element.select(".headerlink"):
        link.decompose()
    return " ".join(element.get_text().split())


def joined_anchor(path: str, fragment: str = "") -> str:
    """Return the id in the joined page of the id `fragment` of the page at `path`, or of the page's start."""
    name = path.removesuffix(".html").replace("/", "-")
    return f"{name}--{fragment}" if fragment else name


def article(page: Page, paths: Collection[str], base: str) -> Tag:
    """Return a page's article for the joined page of all `paths`; its URLs of the site start with `base`."""
    text = copy.copy(page.select_one("article"))
    for tag in text.select(REMOVED):
        tag.decompose()
    for tag in text.select(":not(svg *)"):  # the ids in drawings are unique already
        for name in {"id", "aria-labelledby", "aria-describedby"} & tag.attrs.keys():
            tag[name] = " ".join(joined_anchor(page.path, part) for part in str(tag[name]).split())
    for image in text.select("img[src]:not([src^='data:'])"):
        image["src"] = base + page.resolve(str(image["src"]))
    for link in text.find_all("a", href=True):
        parts = urlsplit(str(link["href"]))
        target = page.resolve(str(link["href"]))
        if parts.scheme:
            continue
        if target in paths and "=" not in parts.fragment:
            link["href"] = "#" + joined_anchor(target, parts.fragment)
        else:
            link.unwrap()  # to a file of the site or a slider's position, which are not in the PDF
    text["id"] = joined_anchor(page.path)
    return text


def style_sheets(pages: list[Page]) -> list[str]:
    """Return the paths in the site of all style sheets of the pages, in order and once each."""
    links = [
        page.resolve(str(link["href"]))
        for page in pages
        for link in page.soup.select('link[rel="stylesheet"]')  # the one for formulas is at the page's end
    ]
    return list(dict.fromkeys(links))
