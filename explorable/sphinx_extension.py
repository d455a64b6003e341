"""Sphinx extension: execute notebooks for pages without a kernel, and add scripts and styles to them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from explorable import BOOK_VARIABLE
from explorable.colors import dark_variables

PACKAGE = Path(__file__).parent
# By the first characters of the HTML that needs them.
SCRIPTS = {'<div class="explore"': "demo.js", '<div class="self-check"': "question.js"}


def register(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension to a build."""
    app.connect("env-before-read-docs", prepare_kernels)
    app.connect("env-before-read-docs", add_static_folder)  # Jupyter Book adds earlier scripts to all pages
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def prepare_kernels(app: Sphinx, *_: object) -> None:
    """Until the build ends, tell kernels that it is a book, and let them import this package uninstalled."""
    variables = {BOOK_VARIABLE: "1"}
    if PACKAGE.parent.name not in ("site-packages", "dist-packages"):
        paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    before = {name: os.environ[name] for name in variables if name in os.environ}
    os.environ.update(variables)

    def restore(*_: object) -> None:
        for name in variables:
            os.environ.pop(name, None)
        os.environ.update(before)

    app.connect("build-finished", restore)


def add_static_folder(app: Sphinx, *_: object) -> None:
    """Write scripts, and styles with the dark values of colours, where Sphinx copies them to the site."""
    static = Path(app.doctreedir) / "static"
    folder = static / "explorable"  # so that no file of the book has the same path
    folder.mkdir(parents=True, exist_ok=True)
    for file in [*PACKAGE.glob("static/*.css"), *PACKAGE.glob("static/*.js")]:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".css":
            text += f'\n@media screen {{ html[data-theme="dark"] .explore {{ {dark_variables()} }} }}\n'
        (folder / file.name).write_text(text, encoding="utf-8")
    app.config.html_static_path.append(str(static))


def add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the scripts and styles of demos and self-checks to each page that contains any."""
    html = [] if doctree is None else [node.astext() for node in doctree.findall(nodes.raw)]
    for start, script in SCRIPTS.items():
        if any(text.startswith(start) for text in html):
            app.add_css_file("explorable/style.css")
            app.add_js_file(f"explorable/{script}", loading_method="defer")
