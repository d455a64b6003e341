"""Joins the articles of the built pages into one page to print.

Sphinx's `singlehtml` joins the sources, but gives the sections "Summary" and "Exercises" of all chapters the
same id, so that links to them lead to the first. Here each id is prefixed with its page's name.
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
    for tag in text.find_all(True):
        for name, value in tag.attrs.items():
            if name == "id":
                tag[name] = joined_anchor(page.path, str(value))
            elif name in ("aria-labelledby", "aria-describedby"):
                tag[name] = " ".join(joined_anchor(page.path, part) for part in str(value).split())
            elif name == "src" and not urlsplit(str(value)).scheme:
                tag[name] = base + page.resolve(str(value))
            elif name.endswith("href") and tag.name == "use" and str(value).startswith("#"):
                tag[name] = "#" + joined_anchor(page.path, str(value)[1:])
            elif isinstance(value, str) and "url(#" in value:
                tag[name] = re.sub(
                    r"url\(#(.+?)\)", lambda id_: f"url(#{joined_anchor(page.path, id_[1])})", value
                )
    for link in text.find_all("a", href=True):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc:
            continue
        if "=" in parts.fragment:  # a slider position, which paper cannot show
            link.unwrap()
        elif (target := page.resolve(str(link["href"]))) in paths:
            link["href"] = "#" + joined_anchor(target, parts.fragment)
        else:
            link.unwrap()  # to a file of the site, which is not in the PDF
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
