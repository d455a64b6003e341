"""How pages are found: a description for each, previews of links to it, and words for the search.

The description is the page's first paragraph of plain text, or the book's (`book_description` in
`_config.yml`). If the environment variable BOOK_URL gives the address of the published book, pages have a
canonical link, and sphinxext-opengraph adds a preview with a social card for each. The words in `book_search`
become index entries, which the search ranks above pages that only contain the words; `search.js` removes
tables and code from the excerpts.
"""

from __future__ import annotations

import html
import os
import re
from typing import Any

from docutils import nodes
from repository_address import hide_password
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

# Every page shows it, so it must not contain `user:password@`.
BOOK_URL = re.compile(r"https?://([^/\s?#<>@:\[\]]+|\[[\da-fA-F:]+\])(:\d+)?(/[^\s?#<>]*)?")
SOCIAL_CARDS = {"image": "book/cover/cover.png", "image_mini": "book/cover/mark.png", "font": "DejaVu Sans"}
MIN_LENGTH, MAX_LENGTH = 60, 160  # characters: longer than a label, and the limit of search engines


def set_base_url(app: Sphinx, config: Config) -> None:
    """Set the book's URL from the environment; Sphinx uses it for canonical links."""
    url = os.environ.get("BOOK_URL", "")
    if url and not BOOK_URL.fullmatch(url):
        raise ExtensionError(
            f"BOOK_URL is {hide_password(url)!r}; it must start with https:// or http:// and a host, without "
            "a user name or password, and contain no space, ? or #, or be unset"
        )
    if url:
        config.html_baseurl = config.ogp_site_url = url.rstrip("/") + "/"
        config.ogp_site_name = config.html_title.partition(":")[0]
        config.ogp_social_cards = SOCIAL_CARDS


def description(doctree: nodes.document | None, default: str) -> str:
    """Return the first long paragraph without formulas other than roots, cut between words."""
    for paragraph in doctree.findall(nodes.paragraph) if doctree else ():
        text = re.sub(r"\\sqrt\s*{?(\w+)}?", r"√\1", " ".join(paragraph.astext().split()))
        is_prose = isinstance(paragraph.parent, nodes.section) and not paragraph.next_node(nodes.image)
        if is_prose and len(text) >= MIN_LENGTH and "\\" not in text:
            cut = text[: MAX_LENGTH - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
            return text if len(text) <= MAX_LENGTH else cut
    return default


def add_to_head(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the description to a page, and the script to the search page."""
    about = html.escape(description(doctree, app.config.book_description))
    context["metatags"] = f'{context.get("metatags", "")}\n<meta name="description" content="{about}" />\n'
    if page == "search":
        app.add_js_file("search.js", defer="defer")


def add_index_entries(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the page's search words as the index directive does."""
    if words := app.config.book_search.get(page):
        doctree.append(addnodes.index(entries=[("single", word, "", "main", None) for word in words]))


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("book_description", "", "html")
    app.add_config_value("book_search", {}, "html")
    app.connect("config-inited", set_base_url, priority=50)  # before `execution` waits for other builds
    app.connect("html-page-context", add_to_head, priority=400)
    app.connect("doctree-resolved", add_index_entries)
    if os.environ.get("BOOK_URL"):
        from sphinxext import opengraph  # here: Matplotlib loads slowly

        app.setup_extension("sphinxext.opengraph")
        # Its own shows formulas as LaTeX.
        opengraph.get_description = lambda page, *_: description(page, app.config.book_description)
