"""Shows links to Binder, Colab and Codespaces where the repository's address is known, and none elsewhere.

The buttons are the theme's own. The directive `launch` leads to the same places from the text, and holds what
is said in their stead where no address is known.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from colab_setup_cell import add_setup
from docutils import nodes
from execution import only_the_message
from repository_address import INTRODUCTION, Address, find
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

BUTTONS = re.compile(r"https://(github|gitlab)\.com/[^/]+/[^/]+")


def set_buttons(app: Sphinx, config: Config) -> None:
    """Tell the theme the address, or that there is none."""
    try:
        address = find(Path(app.srcdir))
    except ValueError as error:
        only_the_message()
        raise ExtensionError(str(error)) from None
    config.book_launch = None if address is None else (address.url, address.branch)
    options = config.html_theme_options
    if address is None:
        options.pop("launch_buttons", None)
        return
    options["repository_url"] = address.url
    options["repository_branch"] = address.branch
    # A name for the kind of site is asked for; anything but GitHub gets links that Binder takes for any git.
    options["repository_provider"] = "github" if address.on_github else "gitlab"
    options["launch_buttons"] = {
        "notebook_interface": "jupyterlab",
        # The theme writes wrong addresses for other sites than these.
        "binderhub_url": "https://mybinder.org" if BUTTONS.fullmatch(address.url) else "",
        "colab_url": "https://colab.research.google.com" if address.on_github else "",
    }
    options["use_issues_button"] = address.on_github or "//gitlab." in address.url


def leave_out_colab(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Colab opens notebooks; the theme offers it at the top of every page."""
    if not page.startswith("notebooks/"):
        for group in context.get("header_buttons", []):
            if group.get("label") == "launch-buttons":
                group["buttons"] = [button for button in group["buttons"] if button["text"] != "Colab"]


def set_up_downloads(app: Sphinx, error: Exception | None) -> None:
    """Let a chapter that a reader downloads from its page get the package by itself."""
    if error is None and app.config.book_launch and app.builder.format == "html":
        for chapter in Path(app.outdir, "_sources", "notebooks").glob("*.ipynb"):
            add_setup(chapter, Address(*app.config.book_launch))


class Launch(SphinxDirective):
    """`launch`: a list of links that open the book elsewhere; its content stands where there are none."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The list, or the content."""
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
    app.connect("config-inited", set_buttons, priority=50)  # before a build begins that would be cut short
    app.connect("html-page-context", leave_out_colab, priority=502)  # right after the theme's
    app.connect("build-finished", set_up_downloads)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
