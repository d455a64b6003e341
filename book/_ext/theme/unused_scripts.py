"""Removes the scripts that a page does not need, and defers the others so that none delays rendering."""

from __future__ import annotations

import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag

# The start of a script's name or text: the elements that it acts on, or nothing if no page needs it.
NEEDED_BY = {
    "fontawesome|sphinx-thebe|(const )?THEBE": "",  # font_subsets.py embeds the icons; there is no server
    "design-tabs": ".sd-tab-set",
    "togglebutton|(let|var) toggle": ".toggle, .admonition.dropdown",
    "clipboard|copybutton": "div.highlight pre",
    # Only the search page searches; on other pages these also prevent the highlighting of search terms.
    "searchtools|language_data|searchindex": "#search-results",
}
OPTIONS = "documentation_options.js"


def script_name(script: Tag) -> str:
    """Return the name of a script's file, or the text of an inline script."""
    source = str(script.get("src") or "")
    return source.partition("?")[0].rpartition("/")[2] or script.get_text().strip()


def is_needed(page: BeautifulSoup, name: str) -> bool:
    """Check whether the page has elements that the script acts on."""
    needed_by = [selector for start, selector in NEEDED_BY.items() if re.match(start, name)]
    return all(selector and page.select_one(selector) for selector in needed_by)


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
