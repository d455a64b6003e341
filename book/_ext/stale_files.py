"""Lets nothing stale stand in the site: no page that has left the contents, no picture that no page shows, no
style that has changed since.

Sphinx would leave such pages and pictures, and copies styles only when a page is written.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from execution_cache import files
from sphinx.application import Sphinx
from sphinx.config import Config

PICTURE = re.compile(r"""_images/([^"'?#&<>\s]+)""")
MADE = {"index", "search"}  # pages that no file stands behind


def note_styles(app: Sphinx, config: Config) -> None:
    """Make a change in a static file a change of a setting, for which Sphinx writes the pages again."""
    folders = [Path(app.srcdir) / folder for folder in config.html_static_path]
    config.book_static = [line for folder in folders for line in files(folder, contents=True)]


def remove(app: Sphinx, error: Exception | None) -> None:
    """Remove every page without a source, and every picture without a page, after a build that went well."""
    if error is not None or app.builder.format != "html":
        return
    outdir = Path(app.outdir)
    for page in outdir.rglob("*.html"):
        name = page.relative_to(outdir).with_suffix("").as_posix()
        if name not in app.env.found_docs | MADE and not name.startswith("_static/"):
            page.unlink()
    shown = {
        name for page in outdir.rglob("*.html") for name in PICTURE.findall(page.read_text(encoding="utf-8"))
    }
    for picture in (outdir / "_images").rglob("*"):
        if picture.is_file() and quote(picture.relative_to(outdir / "_images").as_posix()) not in shown:
            picture.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_static", [], "html")
    app.connect("config-inited", note_styles)
    app.connect("build-finished", remove)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
