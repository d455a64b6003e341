"""Removes the scripts that a page does not need, and defers the others so that none delays rendering."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup, Tag

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


def script_name(script: Tag) -> str:
    """Return the name of a script's file, or the text of an inline script."""
    source = str(script.get("src") or "")
    return source.partition("?")[0].rpartition("/")[2] or script.get_text().strip()


def is_needed(page: BeautifulSoup, name: str) -> bool:
    """Check whether the page has elements that the script acts on."""
    selectors = [selector for start, selector in NEEDED_BY.items() if name.startswith(start)]
    return all(selector is not None and page.select_one(selector) for selector in selectors)


def remove_unused_scripts(page: BeautifulSoup, static: Path) -> None:
    """Remove the scripts that the page does not need, and defer the rest until it is parsed."""
    for link in page.select("link[rel=preload][as=script]"):
        link.decompose()  # it would be fetched before the styles, though it runs last
    seen: set[str] = set()
    for script in page.find_all("script"):
        name = script_name(script)
        if not is_needed(page, name) or name in seen:  # one extension adds some twice
            script.decompose()
        elif name == OPTIONS:  # a few lines, which later inline scripts extend
            del script["src"]
            script.string = (static / OPTIONS).read_text(encoding="utf-8")
        seen.add(name)
    assert page.body
    searches = page.select_one("#search-results")
    for script in page.select("head > script[src]"):
        if searches:  # it relies on the order of its scripts: keep it, at the end of the page
            page.body.append(script.extract())
        else:
            script["defer"] = ""
