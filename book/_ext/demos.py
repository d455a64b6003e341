"""Gives each page that has a demo the script and the style that move it, and no other page."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

DEMO = '<div class="explore"'  # how gpt2_teach/interactive/page.py begins one


def has_demo(doctree: nodes.document | None) -> bool:
    """Whether a page shows a demo."""
    return doctree is not None and any(node.astext().startswith(DEMO) for node in doctree.findall(nodes.raw))


def add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add them to this page alone, as Sphinx has it for files added while a page is made."""
    if has_demo(doctree):
        app.add_css_file("explore.css")
        app.add_js_file("explore.js", loading_method="defer")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx."""
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
