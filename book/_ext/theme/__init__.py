"""Post-processes every page that the theme has written: lighter to load, and accessible.

Once the site is written, each page is parsed, passed through the modules of this folder and written again,
with one style sheet instead of the theme's (`unused_styles`). The theme's own files stay as they are.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from theme import (
    accessibility,
    color_scheme,
    picture_sizes,
    unbroken_words,
    unused_scripts,
    unused_styles,
    wrapped_code,
)

# Sphinx, the theme and its extensions copy these into every site; no page loads them.
UNUSED_FILES = (
    *("vendor", "locales", "scripts/*.map", "styles/*.map", "scripts/fontawesome.*", "*.html"),
    *("sphinx-thebe.*", "copybutton_funcs.js", "minus.png", "plus.png"),
)


def rewrite_all_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Make Sphinx write all pages again: the style sheet that they share depends on all of them."""
    return sorted(env.found_docs) if app.builder.format == "html" else []


def process_site(app: Sphinx, error: Exception | None) -> None:
    """Process every page after a successful build, and remove files that no page uses."""
    if error is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    files = [path for path in sorted(site.rglob("*.html")) if static not in path.parents]
    pages = {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in files}
    pages = {path: page for path, page in pages.items() if page.find("link", rel="stylesheet")}
    for path, page in pages.items():
        unused_scripts.remove_unused_scripts(page, static)
        accessibility.add_names(page)
        color_scheme.set_initial_scheme(page)
        wrapped_code.wrap_long_lines(page)
        unbroken_words.keep_words_whole(page)
        picture_sizes.set_sizes(page, path)
    unused_styles.join_style_sheets(pages, static)
    for path, page in pages.items():
        path.write_text(str(page), encoding="utf-8")
    for path in {path for pattern in UNUSED_FILES for path in static.glob(pattern)}:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-updated", rewrite_all_pages)
    app.connect("build-finished", process_site, priority=700)  # after the theme has written its code colours
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
