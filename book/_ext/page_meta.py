"""Gives every page a description and the Open Graph tags by which a link to it is previewed.

A page's own `html_meta` description is used where there is one, else its first paragraph of plain words, else
the book's (`book_description` in `_config.yml`).
"""

from __future__ import annotations

import html
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

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


def add_tags(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the tags to the page's head."""
    tags = context.get("metatags", "")
    own = re.search(r'<meta[^>]*name="description"[^>]*>', tags)
    found = re.search(r'content="([^"]*)"', own.group()) if own else None
    about = found.group(1) if found else html.escape(description(doctree, app.config.book_description))
    title = (
        html.escape(html.unescape(re.sub("<[^>]*>", "", context.get("title", "")))) or app.config.html_title
    )
    new = {"og:title": title, "og:type": "website" if page == app.config.root_doc else "article"}
    new |= {"og:site_name": html.escape(app.config.html_title), "og:description": about}
    lines = [f'<meta property="{name}" content="{value}" />' for name, value in new.items()]
    if not own:
        lines.insert(0, f'<meta name="description" content="{about}" />')
    context["metatags"] = "\n    ".join([tags, *lines])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_description", "", "html")
    app.connect("html-page-context", add_tags)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
