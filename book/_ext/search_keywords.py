"""Adds search keywords to pages, and the script `search.js` to the search page.

The keywords in `book_search` of `_config.yml` become index entries, which the search ranks above pages that
only contain the words. `search.js` removes tables and code from the excerpts.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def add_index_entries(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Add the page's keywords as the index directive does."""
    if words := app.config.book_search.get(page):
        doctree.append(addnodes.index(entries=[("single", word, "", "main", None) for word in words]))


def add_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the script to the search page."""
    if page == "search":
        app.add_js_file("search.js", defer="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_search", {}, "html")
    app.connect("doctree-resolved", add_index_entries)
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
