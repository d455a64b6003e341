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
FILES = {
    '<div class="explore"': "demo",
    '<div class="self-check"': "question",
}  # by the first characters of their HTML


def register(app: Sphinx) -> ExtensionMetadata:
    """Connect the extension to a build."""
    kernels = KernelEnvironment()
    app.connect("env-before-read-docs", lambda *_: kernels.change())
    app.connect("env-before-read-docs", add_static_folder)  # Jupyter Book adds earlier scripts to all pages
    app.connect("build-finished", lambda *_: kernels.restore())
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class KernelEnvironment:
    """The environment variables of the kernels that execute notebooks."""

    def __init__(self) -> None:
        self.before: dict[str, str | None] = {}

    def change(self) -> None:
        """Tell kernels that a book is being built, and make this package importable without installation."""
        variables = {BOOK_VARIABLE: "1"}
        if PACKAGE.parent.name not in ("site-packages", "dist-packages"):
            paths = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
            variables["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        self.before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)

    def restore(self) -> None:
        """Undo `change`."""
        for name, value in self.before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self.before = {}


def add_static_folder(app: Sphinx, *_: object) -> None:
    """Write scripts, and styles with the dark values of colours, where Sphinx copies them to the site."""
    static = Path(app.doctreedir) / "static"
    folder = static / "explorable"  # so that no file of the book has the same path
    folder.mkdir(parents=True, exist_ok=True)
    for file in [*PACKAGE.glob("static/*.css"), *PACKAGE.glob("static/*.js")]:
        text = file.read_text(encoding="utf-8")
        if file.name == "demo.css":
            text += f'\n@media screen {{ html[data-theme="dark"] .explore {{ {dark_variables()} }} }}\n'
        (folder / file.name).write_text(text, encoding="utf-8")
    app.config.html_static_path.append(str(static))


def add_files(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the scripts and styles of demos and self-checks to each page that contains any."""
    html = [] if doctree is None else [node.astext() for node in doctree.findall(nodes.raw)]
    for start, name in FILES.items():
        if any(text.startswith(start) for text in html):
            app.add_css_file(f"explorable/{name}.css")
            app.add_js_file(f"explorable/{name}.js", loading_method="defer")
