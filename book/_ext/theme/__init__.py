"""Mends what the theme puts on every page: lighter to load, and named for those who do not see it.

Once the site is written, each page is read by a parser, handed round and written again: `scripts` keeps what
the page needs, `styles` joins the style sheets without the rules that match nothing, `fonts` cuts the fonts
down to the characters in use, `access` names buttons and regions, `scheme` has it begin light or dark, `code`
lays out lines that are wrapped, `formulas` writes these as browsers show them, `lines` keeps words whole, and
`pictures` says how large those are. No file of the theme itself is touched.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from mended_theme import access, code, formulas, lines, pictures, scheme, scripts, styles
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

# Copied into every site by Sphinx, the theme and its extensions; no page asks for them.
LEFT_OVER = (
    *("vendor", "locales", "scripts/*.map", "styles/*.map", "scripts/fontawesome.*", "*.html"),
    *("sphinx-thebe.*", "copybutton_funcs.js", "minus.png", "plus.png"),
)


def every_page(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Have all pages written anew: the one style sheet that they share follows from all of them."""
    return sorted(env.found_docs) if app.builder.format == "html" else []


def mend(app: Sphinx, error: Exception | None) -> None:
    """Mend every page, after a build that went well."""
    if error is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    files = [path for path in sorted(site.rglob("*.html")) if static not in path.parents]
    pages = {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in files}
    pages = {path: page for path, page in pages.items() if page.find("link", rel="stylesheet")}
    for path, page in pages.items():
        scripts.lighten(page, path, static)
        access.mend(page)
        scheme.mend(page)
        code.mend(page)
        formulas.mend(page)
        lines.mend(page)
        pictures.mend(page, path)
    styles.join(pages, static)
    for path, page in pages.items():
        path.write_text(str(page), encoding="utf-8")
    for pattern in LEFT_OVER:
        for path in static.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # Of the theme's pictures, the marks of the services that a page has buttons for.
    images = [image for page in pages.values() for image in page.select("img[src]")]
    shown = {str(image["src"]).rpartition("/")[2] for image in images}
    for path in (static / "images").glob("*"):
        if path.name not in shown:
            path.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-updated", every_page)
    app.connect("html-page-context", scripts.leave_out, priority=900)  # once all are named
    app.connect("build-finished", mend, priority=700)  # after the theme has written its colours of code
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
