"""Leaves each page the scripts that it needs, none of which holds up its first sight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

# A script, by what it is called or begins with, and the elements without which a page has no use for it.
NEEDED_BY = {
    "fontawesome.js": None,  # a megabyte that draws fifteen icons: fonts.py has them as a font
    "sphinx-thebe.js": None,  # runs cells on a server that this book does not have
    "THEBE_JS_URL": None,
    "const THEBE_JS_URL": None,
    "design-tabs.js": ".sd-tab-set",
    "togglebutton.js": ".toggle, .admonition.dropdown",
    "let toggle": ".toggle, .admonition.dropdown",
    "var togglebuttonSelector": ".toggle, .admonition.dropdown",
    "clipboard.min.js": "div.highlight pre",
    "copybutton.js": "div.highlight pre",
    # Searching happens on its own page; elsewhere these also kept found words from being marked.
    "searchtools.js": "#search-results",
    "language_data.js": "#search-results",
    "searchindex.js": "#search-results",
}
OPTIONS = "documentation_options.js"
NEVER = tuple(start for start, selector in NEEDED_BY.items() if selector is None)


def leave_out(app: Sphinx, page: str, template: str, context: dict[str, Any], doc: object) -> None:
    """Have Sphinx not even write what no page needs.

    sphinx-thebe declares its constants twice, an error on the console of whoever opens a page after it
    was written and before it is mended.
    """
    context["script_files"] = [file for file in context.get("script_files", []) if not _never(file)]


def _never(file: Any) -> bool:
    body = getattr(file, "attributes", {}).get("body") or ""
    source = str(getattr(file, "filename", file) or "")
    return (source.rpartition("/")[2] or body).startswith(NEVER)


def name(script: Tag) -> str:
    """What a script is called: its file's name, or its own text."""
    source = str(script.get("src") or "")
    return source.partition("?")[0].rpartition("/")[2] or script.get_text().strip()


def needed(page: BeautifulSoup, script: Tag) -> bool:
    """Whether the page has something for the script to do."""
    for start, selector in NEEDED_BY.items():
        if name(script).startswith(start):
            return selector is not None and page.select_one(selector) is not None
    return True


def lighten(page: BeautifulSoup, path: Path, static: Path) -> None:
    """Drop from the page the scripts that it does not need, and have the rest run when all of it is there."""
    for link in page.find_all("link", rel="preload", attrs={"as": "script"}):
        link.decompose()  # fetched before the styles, run after everything else
    said: set[str] = set()
    for script in page.find_all("script"):
        said_before = not script.get("src") and name(script) in said  # one extension says some things twice
        said.add(name(script))
        if said_before or not needed(page, script):
            script.decompose()
        elif name(script) == OPTIONS:  # a few lines, which the inline scripts after it set more of
            inline = page.new_tag("script")
            inline.string = (static / OPTIONS).read_text(encoding="utf-8")
            script.replace_with(inline)
    assert page.head, path
    assert page.body, path
    if page.select_one("#search-results"):
        # Searching relies on the order in which the parser meets its scripts: at the end, as they were.
        for script in page.head.find_all("script", src=True):
            page.body.append(script.extract())
    else:
        for script in page.head.find_all("script", src=True):
            script["defer"] = ""
