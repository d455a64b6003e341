"""Adds a meta description to every page, and the Open Graph tags for link previews.

The description is the page's own `html_meta` description, or its first paragraph of plain text, or the book's
(`book_description` in `_config.yml`). If the environment variable BOOK_URL gives the address of the published
book, each page also has its URL and a social card.
"""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any

from build_errors import hide_traceback
from docutils import nodes
from repository_address import hide_password
from social_cards import DEFAULT_CARD, SIZE, draw_card
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

# Every page shows it, so it must not contain `user:password@`.
BOOK_URL = re.compile(r"https?://([^/\s?#<>@:\[\]]+|\[[\da-fA-F:]+\])(:\d+)?(/[^\s?#<>]*)?")
MIN_LENGTH, MAX_LENGTH = 60, 160  # characters: longer than a label, and the limit of search engines


def plain_text(paragraph: nodes.paragraph) -> str:
    """Return the paragraph as plain text with roots as √, or an empty string if it has other formulas."""
    text = re.sub(r"\\sqrt\s*{?(\w+)}?", r"√\1", " ".join(paragraph.astext().split()))
    return "" if "\\" in text else text


def description(doctree: nodes.document | None, default: str) -> str:
    """Return the page's description, cut between words to at most `MAX_LENGTH` characters."""
    for paragraph in () if doctree is None else doctree.findall(nodes.paragraph):
        text = plain_text(paragraph)
        if len(text) >= MIN_LENGTH and isinstance(paragraph.parent, nodes.section | nodes.document):
            if len(text) <= MAX_LENGTH:
                return text
            return text[: MAX_LENGTH - 1].rsplit(" ", 1)[0].rstrip(",;:.") + "…"
    return default


def set_base_url(app: Sphinx, config: Config) -> None:
    """Set the book's URL from the environment; Sphinx uses it for canonical links."""
    url = os.environ.get("BOOK_URL", "")
    if url and not BOOK_URL.fullmatch(url):
        hide_traceback()
        raise ExtensionError(
            f"BOOK_URL is {hide_password(url)!r}; it must start with https:// or http:// and a host, without "
            "a user name or password, and contain no space, ? or #, or be unset"
        )
    config.html_baseurl = url.rstrip("/") + "/" if url else ""


def card_tags(app: Sphinx, page: str, title: str, about: str) -> dict[str, str]:
    """Draw the page's card and return its tags, with values as plain text."""
    card = DEFAULT_CARD | app.config.book_cards.get(page, {})
    question = card.get("question", about)
    path = f"_images/cards/{page.replace('/', '-')}.png"
    draw_card(Path(app.outdir) / path, app.config.html_title, title, question, card["drawing"])
    url = app.config.html_baseurl
    return {
        "og:url": url + app.builder.get_target_uri(page),
        "og:image": url + path,
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "og:image:alt": f"{title}: {question}",
    }


def add_tags(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the tags to the page's head."""
    tags = context.get("metatags", "")
    own = re.search(r'<meta[^>]*name="description"[^>]*>', tags)
    content = re.search(r'content="([^"]*)"', own.group()) if own else None
    about = html.unescape(content.group(1)) if content else description(doctree, app.config.book_description)
    title = html.unescape(re.sub("<[^>]*>", "", context.get("title", ""))) or app.config.html_title
    new = {"og:title": title, "og:type": "website" if page == app.config.root_doc else "article"}
    new |= {"og:site_name": app.config.html_title, "og:description": about}
    has_card = bool(app.config.html_baseurl) and doctree is not None
    if has_card:
        new |= card_tags(app, page, title, about)
    lines = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in new.items()]
    lines.append(f'<meta name="twitter:card" content="summary{"_large_image" if has_card else ""}" />')
    if not own:
        lines.insert(0, f'<meta name="description" content="{html.escape(about)}" />')
    context["metatags"] = "\n    ".join([tags, *lines])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_description", "", "html")
    app.add_config_value("book_cards", {}, "html")
    app.connect("config-inited", set_base_url, priority=50)  # before `execution` starts the build
    app.connect("html-page-context", add_tags)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
