"""Keeps stale files out of the site: pages that left the contents, unused pictures, and outdated styles.

Sphinx would leave such pages and pictures, and it copies styles only if it writes a page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from execution_cache import hash_files
from sphinx.application import Sphinx
from sphinx.config import Config

PICTURE = re.compile(r"""_images/([^"'?#&<>\s]+)""")
GENERATED = {"index", "search"}  # pages without a source file


def hash_static_files(app: Sphinx, config: Config) -> None:
    """Store hashes of the static files in a setting, since Sphinx writes all pages if a setting changes."""
    folders = [Path(app.srcdir) / folder for folder in config.html_static_path]
    config.book_static = [line for folder in folders for line in hash_files(folder, contents=True)]


def remove_stale_files(app: Sphinx, error: Exception | None) -> None:
    """Remove pages without a source and pictures without a page, after a successful build."""
    if error is not None or app.builder.format != "html":
        return
    outdir = Path(app.outdir)
    for page in outdir.rglob("*.html"):
        name = page.relative_to(outdir).with_suffix("").as_posix()
        if name not in app.env.found_docs | GENERATED and not name.startswith("_static/"):
            page.unlink()
    used = {
        name for page in outdir.rglob("*.html") for name in PICTURE.findall(page.read_text(encoding="utf-8"))
    }
    for picture in (outdir / "_images").rglob("*"):
        if picture.is_file() and quote(picture.relative_to(outdir / "_images").as_posix()) not in used:
            picture.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_static", [], "html")
    app.connect("config-inited", hash_static_files)
    app.connect("build-finished", remove_stale_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
