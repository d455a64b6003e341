"""Helps the search of the site: words by which a page is sought beside its title's, and plain excerpts.

`book_search` in `_config.yml` gives the words. The search takes them for entries of an index, which it puts
before pages that merely contain them; `search.js` takes tables and code out of the excerpts that it shows.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def add_entries(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Enter the words of the page as the index directive would."""
    if words := app.config.book_search.get(page):
        doctree.append(addnodes.index(entries=[("single", word, "", "main", None) for word in words]))


def add_script(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the script to the one page that needs it."""
    if page == "search":
        app.add_js_file("search.js", defer="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_search", {}, "html")
    app.connect("doctree-resolved", add_entries)
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
