"""Launch buttons and links to Binder, Colab and Codespaces, if the repository's address is known.

The buttons are the theme's own. The directive `launch` adds the same links to the text, or shows its content
if no address is known.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from build_errors import hide_traceback
from colab_setup_cell import add_setup_cell
from docutils import nodes
from repository_address import INTRODUCTION, Address, find_address
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

BINDER_BUTTON_URLS = re.compile(r"https://(github|gitlab)\.com/[^/]+/[^/]+")


def configure_buttons(app: Sphinx, config: Config) -> None:
    """Set the theme's options for the address, or remove its buttons if there is none."""
    try:
        address = find_address(Path(app.srcdir))
    except ValueError as error:
        hide_traceback()
        raise ExtensionError(str(error)) from None
    config.book_launch = None if address is None else (address.url, address.branch)
    options = config.html_theme_options
    if address is None:
        options.pop("launch_buttons", None)
        return
    options["repository_url"] = address.url
    options["repository_branch"] = address.branch
    # The theme requires a provider; for all but GitHub its links to Binder work for any git repository.
    options["repository_provider"] = "github" if address.on_github else "gitlab"
    options["launch_buttons"] = {
        "notebook_interface": "jupyterlab",
        # For other sites the theme writes wrong URLs.
        "binderhub_url": "https://mybinder.org" if BINDER_BUTTON_URLS.fullmatch(address.url) else "",
        "colab_url": "https://colab.research.google.com" if address.on_github else "",
    }
    options["use_issues_button"] = address.on_github or "//gitlab." in address.url


def remove_colab_button(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Remove the Colab button, which the theme adds to all pages, from pages that are no notebooks."""
    if not page.startswith("notebooks/"):
        for group in context.get("header_buttons", []):
            if group.get("label") == "launch-buttons":
                group["buttons"] = [button for button in group["buttons"] if button["text"] != "Colab"]


def add_setup_to_downloads(app: Sphinx, error: Exception | None) -> None:
    """Add the setup cell to the chapters that readers download from their pages."""
    if error is None and app.config.book_launch and app.builder.format == "html":
        for chapter in Path(app.outdir, "_sources", "notebooks").glob("*.ipynb"):
            add_setup_cell(chapter, Address(*app.config.book_launch))


class Launch(SphinxDirective):
    """`launch`: a list of links that open the book elsewhere, or its content if there are none."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        if not self.config.book_launch:
            return self.parse_content_to_nodes()
        address = Address(*self.config.book_launch)
        rows = [("Binder", [("JupyterLab, on the introduction", address.binder(INTRODUCTION))])]
        if address.on_github:
            chapters = sorted(page for page in self.env.found_docs if page.startswith("notebooks/"))
            links = [
                (f"chapter {number}", address.colab(f"{page}.ipynb"))
                for number, page in enumerate(chapters, start=1)
            ]
            rows += [("Colab", links), ("Codespaces", [("the whole book, in VS Code", address.codespace())])]
        clone = f"git clone --branch {address.branch} {address.url}"
        folder = nodes.list_item("", nodes.paragraph("", "The folder: ", nodes.literal("", clone)))
        return [nodes.bullet_list("", *(_row(service, links) for service, links in rows), folder)]


def _row(service: str, links: list[tuple[str, str]]) -> nodes.list_item:
    line = nodes.paragraph("", f"{service}: ")
    for number, (text, url) in enumerate(links):
        line += [nodes.Text(", " if number else ""), nodes.reference("", text, refuri=url, internal=False)]
    return nodes.list_item("", line)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_launch", None, "env")
    app.add_directive("launch", Launch)
    app.connect("config-inited", configure_buttons, priority=50)  # before `execution` starts the build
    app.connect("html-page-context", remove_colab_button, priority=502)  # right after the theme adds it
    app.connect("build-finished", add_setup_to_downloads)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
