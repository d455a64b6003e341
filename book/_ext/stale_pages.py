"""Removes from the site the pages that have left the contents, which Sphinx would leave standing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

MADE = {"index", "search"}  # pages that no file stands behind


def remove(app: Sphinx, error: Exception | None) -> None:
    """Remove every page without a source, after a build that went well."""
    if error is not None or app.builder.format != "html":
        return
    outdir = Path(app.outdir)
    for page in outdir.rglob("*.html"):
        name = page.relative_to(outdir).with_suffix("").as_posix()
        if name not in app.env.found_docs | MADE and not name.startswith("_static/"):
            page.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", remove)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
