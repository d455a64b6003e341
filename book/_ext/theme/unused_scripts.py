"""Removes the scripts that a page does not need, and defers the others so that none delays rendering."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

# The start of a script's name or text: the elements that it acts on, or None if no page needs it.
NEEDED_BY = {
    "fontawesome.js": None,  # a megabyte for fifteen icons; font_subsets.py embeds them as a font
    "sphinx-thebe.js": None,  # runs cells on a server, which this book does not have
    "THEBE_JS_URL": None,
    "const THEBE_JS_URL": None,
    "design-tabs.js": ".sd-tab-set",
    "togglebutton.js": ".toggle, .admonition.dropdown",
    "let toggle": ".toggle, .admonition.dropdown",
    "var togglebuttonSelector": ".toggle, .admonition.dropdown",
    "clipboard.min.js": "div.highlight pre",
    "copybutton.js": "div.highlight pre",
    # Only the search page searches; on other pages these also prevent the highlighting of search terms.
    "searchtools.js": "#search-results",
    "language_data.js": "#search-results",
    "searchindex.js": "#search-results",
}
OPTIONS = "documentation_options.js"
NEVER_NEEDED = tuple(start for start, selector in NEEDED_BY.items() if selector is None)


def omit_never_needed(app: Sphinx, page: str, template: str, context: dict[str, Any], doc: object) -> None:
    """Prevent Sphinx from writing the scripts that no page needs.

    sphinx-thebe declares its constants twice, which is an error in the console of anyone who opens a page
    after it was written and before it is processed.
    """
    context["script_files"] = [file for file in context.get("script_files", []) if not _never_needed(file)]


def _never_needed(file: Any) -> bool:
    body = getattr(file, "attributes", {}).get("body") or ""
    source = str(getattr(file, "filename", file) or "")
    return (source.rpartition("/")[2] or body).startswith(NEVER_NEEDED)


def script_name(script: Tag) -> str:
    """Return the name of a script's file, or the text of an inline script."""
    source = str(script.get("src") or "")
    return source.partition("?")[0].rpartition("/")[2] or script.get_text().strip()


def is_needed(page: BeautifulSoup, script: Tag) -> bool:
    """Check whether the page has elements that the script acts on."""
    for start, selector in NEEDED_BY.items():
        if script_name(script).startswith(start):
            return selector is not None and page.select_one(selector) is not None
    return True


def remove_unused_scripts(page: BeautifulSoup, path: Path, static: Path) -> None:
    """Remove the scripts that the page does not need, and defer the rest until it is parsed."""
    for link in page.find_all("link", rel="preload", attrs={"as": "script"}):
        link.decompose()  # it would be fetched before the styles, though it runs last
    seen: set[str] = set()
    for script in page.find_all("script"):
        repeated = not script.get("src") and script_name(script) in seen  # one extension adds some twice
        seen.add(script_name(script))
        if repeated or not is_needed(page, script):
            script.decompose()
        elif script_name(script) == OPTIONS:  # a few lines, which later inline scripts extend
            inline = page.new_tag("script")
            inline.string = (static / OPTIONS).read_text(encoding="utf-8")
            script.replace_with(inline)
    assert page.head, path
    assert page.body, path
    if page.select_one("#search-results"):
        # The search relies on the order of its scripts: keep it, at the end of the page.
        for script in page.head.find_all("script", src=True):
            page.body.append(script.extract())
    else:
        for script in page.head.find_all("script", src=True):
            script["defer"] = ""
