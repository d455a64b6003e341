"""Gives each page that has a demo, or a self-check, the script and the style for it, and no other page."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

BEGINS = {  # how gpt2_teach/interactive/page.py and check_page.py begin one -> the names of its files
    '<div class="explore"': "explore",
    '<div class="self-check"': "self_check",
}


def shown_on(doctree: nodes.document | None) -> list[str]:
    """The files' names of what a page shows."""
    html = [] if doctree is None else [node.astext() for node in doctree.findall(nodes.raw)]
    return [name for begin, name in BEGINS.items() if any(text.startswith(begin) for text in html)]


def add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add them to this page alone, as Sphinx has it for files added while a page is made."""
    for name in shown_on(doctree):
        app.add_css_file(f"{name}.css")
        app.add_js_file(f"{name}.js", loading_method="defer")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx."""
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
