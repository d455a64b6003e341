"""Adds a style sheet to only those pages that need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def add_page_style(app: Sphinx, filename: str, needs_style: Callable[[nodes.Element], bool]) -> None:
    """Add the style sheet `filename` to each page that has an element for which `needs_style` is true."""

    def add(
        app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
    ) -> None:
        if doctree is not None and any(map(needs_style, doctree.findall(nodes.Element))):
            app.add_css_file(filename)

    app.connect("html-page-context", add)
