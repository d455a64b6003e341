"""Gives every page a description and the Open Graph tags by which a link to it is previewed.

A page's own `html_meta` description is used where there is one, else its first paragraph of plain words, else
the book's (`book_description` in `_config.yml`). Where the environment variable BOOK_URL says at which
address the book is published, each page also names its own, and a picture; without it there is no right one.
"""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from execution import only_the_message
from repository_address import without_password
from social_cards import PLAIN, SIZE, draw
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

# Every page will show it, so no `user:password@` may stand in it.
ADDRESS = re.compile(r"https?://([^/\s?#<>@:\[\]]+|\[[\da-fA-F:]+\])(:\d+)?(/[^\s?#<>]*)?")
SHORTEST, LONGEST = 60, 160  # characters: more than a label, and what search engines show


def words(paragraph: nodes.paragraph) -> str:
    """The paragraph as plain text, roots written as such; empty where other formulas would be left in it."""
    text = re.sub(r"\\sqrt\s*{?(\w+)}?", r"√\1", " ".join(paragraph.astext().split()))
    return "" if "\\" in text else text


def description(doctree: nodes.document | None, default: str) -> str:
    """The page's description, at most `LONGEST` characters, cut between words."""
    for paragraph in () if doctree is None else doctree.findall(nodes.paragraph):
        text = words(paragraph)
        if len(text) >= SHORTEST and isinstance(paragraph.parent, nodes.section | nodes.document):
            return (
                text if len(text) <= LONGEST else text[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
            )
    return default


def set_address(app: Sphinx, config: Config) -> None:
    """Take the book's address from the environment; Sphinx makes the canonical links of it."""
    url = os.environ.get("BOOK_URL", "")
    if url and not ADDRESS.fullmatch(url):
        only_the_message()
        raise ExtensionError(
            f"BOOK_URL is {without_password(url)!r}; it must begin with https:// or http:// and a host, "
            "without a name or password before it, and hold no space, ? or #, or not be set"
        )
    config.html_baseurl = url.rstrip("/") + "/" if url else ""


def card_tags(app: Sphinx, page: str, title: str, about: str) -> dict[str, str]:
    """Draw the page's card and return the tags that lead to it; the values are plain text."""
    card = PLAIN | app.config.book_cards.get(page, {})
    path = f"_images/cards/{page.replace('/', '-')}.png"
    draw(Path(app.outdir) / path, app.config.html_title, title, card.get("question", about), card["motif"])
    url = app.config.html_baseurl
    return {
        "og:url": url + app.builder.get_target_uri(page),
        "og:image": url + path,
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": f"{title}: {card.get('question', about)}",
    }


def add_tags(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the tags to the page's head."""
    tags = context.get("metatags", "")
    own = re.search(r'<meta[^>]*name="description"[^>]*>', tags)
    found = re.search(r'content="([^"]*)"', own.group()) if own else None
    about = html.unescape(found.group(1)) if found else description(doctree, app.config.book_description)
    title = html.unescape(re.sub("<[^>]*>", "", context.get("title", ""))) or app.config.html_title
    new = {"og:title": title, "og:type": "website" if page == app.config.root_doc else "article"}
    new |= {"og:site_name": app.config.html_title, "og:description": about}
    drawn = bool(app.config.html_baseurl) and doctree is not None
    if drawn:
        new |= card_tags(app, page, title, about)
    lines = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in new.items()]
    lines.append(f'<meta name="twitter:card" content="summary{"_large_image" if drawn else ""}" />')
    if not own:
        lines.insert(0, f'<meta name="description" content="{html.escape(about)}" />')
    context["metatags"] = "\n    ".join([tags, *lines])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_description", "", "html")
    app.add_config_value("book_cards", {}, "html")
    app.connect("config-inited", set_address, priority=50)  # before a build begins that would be cut short
    app.connect("html-page-context", add_tags)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
