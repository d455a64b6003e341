"""Launch buttons and links to Binder, Colab and Codespaces, if the repository's address is known.

The buttons are the theme's own. The directive `launch` adds the same links to the text, or shows its content
if no address is known.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from colab_setup_cell import add_setup_cell
from docutils import nodes
from repository_address import INTRODUCTION, Address, find_address
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective


def configure_buttons(app: Sphinx, config: Config) -> None:
    """Set the theme's options for the address, or remove its buttons if there is none."""
    try:
        address = config.book_address = find_address(Path(app.srcdir))
    except ValueError as error:
        raise ExtensionError(str(error)) from None
    options = config.html_theme_options
    if address is None:
        options.pop("launch_buttons", None)
        return
    has_binder_button = re.fullmatch(r"https://git(hub|lab)\.com/[^/]+/[^/]+", address.url)
    options["repository_url"] = address.url
    options["repository_branch"] = address.branch
    # The theme requires a provider, and its links to Binder are wrong for other hosts.
    options["repository_provider"] = "github" if address.on_github else "gitlab"
    options["launch_buttons"] = {
        "notebook_interface": "jupyterlab",
        "binderhub_url": "https://mybinder.org" if has_binder_button else "",
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
    if error is None and app.config.book_address:
        for chapter in Path(app.outdir, "_sources", "notebooks").glob("*.ipynb"):
            add_setup_cell(chapter, app.config.book_address)


class Launch(SphinxDirective):
    """`launch`: a list of links that open the book elsewhere, or its content if there are none."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        address: Address | None = self.config.book_address
        if address is None:
            return self.parse_content_to_nodes()
        lines = [f"Binder: [JupyterLab, on the introduction]({address.binder(INTRODUCTION)})"]
        if address.on_github:
            chapters = sorted(page for page in self.env.found_docs if page.startswith("notebooks/"))
            links = [
                f"[chapter {number}]({address.colab(page + '.ipynb')})"
                for number, page in enumerate(chapters, start=1)
            ]
            lines += [
                f"Colab: {', '.join(links)}",
                f"Codespaces: [the whole book, in VS Code]({address.codespace()})",
            ]
        lines.append(f"The folder: `git clone --branch {address.branch} {address.url}`")
        return self.parse_text_to_nodes("\n".join(f"- {line}" for line in lines))


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("book_address", None, "")
    app.add_directive("launch", Launch)
    app.connect("config-inited", configure_buttons, priority=50)  # before `execution` waits for other builds
    app.connect("html-page-context", remove_colab_button, priority=502)  # right after the theme adds it
    app.connect("build-finished", add_setup_to_downloads)
