"""Joins the style sheets of all pages into one, without the rules that match nothing in the book.

A rule is left out if each of its selectors names a class or an id that no page has and no script could give.
What a script could give is read off its words, generously: any word may be a class, and one with a hyphen its
beginning. Elements, attributes and states decide nothing, so a rule is rather kept than lost.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import tinycss2
from bs4 import BeautifulSoup, Tag
from tinycss2.ast import AtRule, Node, QualifiedRule

JOINED = "site.css"
GROUPS = {"media", "supports", "layer", "container"}  # at-rules that hold further rules


def names(page: BeautifulSoup) -> set[str]:
    """The classes and ids on a page."""
    found: set[str] = set()
    for element in page.find_all(True):
        found.update(element.get_attribute_list("class"), element.get_attribute_list("id"))
    return found


class Known:
    """The classes and ids that something in the book has, or may come to have."""

    def __init__(self, on_pages: set[str], scripts: str) -> None:
        words = set(re.findall(r"[A-Za-z_][\w-]*", scripts))
        self.names = on_pages | words
        self.starts = tuple(word.rstrip("-") + "-" for word in words if "-" in word)  # "bs-tooltip" + "-top"

    def __contains__(self, name: str) -> bool:
        return name in self.names or name.startswith(self.starts)


def selectors(prelude: list[Node]) -> Iterator[list[Node]]:
    """The selectors of a rule, which commas part."""
    one: list[Node] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield one
            one = []
        else:
            one.append(token)
    yield one


def matches(selector: list[Node], known: Known) -> bool:
    """Whether something in the book may match. What stands inside `:not(…)` and its like is not asked."""
    for before, token in zip([None, *selector], selector):
        a_class = token.type == "ident" and before is not None and before == "."
        if (a_class or token.type == "hash") and token.value not in known:
            return False
    return True


def kept(rules: list[Node], known: Known) -> str:
    """The rules that may match something, as text."""
    parts = []
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            wanted = [
                tinycss2.serialize(one).strip() for one in selectors(rule.prelude) if matches(one, known)
            ]
            if wanted:
                parts.append(f"{','.join(wanted)}{{{tinycss2.serialize(rule.content).strip()}}}")
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in GROUPS and rule.content is not None:
            inner = kept(
                tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True), known
            )
            if inner:
                parts.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in {"charset", "import"}:
            continue  # joined already
        elif isinstance(rule, AtRule) and "fontawesome" in tinycss2.serialize(rule.content or []):
            continue  # fonts.py brings a small one
        elif rule.type == "comment" and rule.value.startswith("!"):
            parts.append(rule.serialize())  # a licence
        elif rule.type == "error":
            raise ValueError(f"a style sheet that cannot be read: {rule.message}")
        elif rule.type != "comment":
            parts.append(rule.serialize())
    return "\n".join(parts)


def read(sheet: Path, static: Path) -> str:
    """A style sheet with those that it imports, its addresses as seen from `static`."""

    def imported(match: re.Match[str]) -> str:
        return read((sheet.parent / match.group(1)).resolve(), static)

    def moved(match: re.Match[str]) -> str:
        target = os.path.relpath(sheet.parent.resolve() / match.group(1), static.resolve())
        return f'url("{Path(target).as_posix()}")'

    css = sheet.read_text(encoding="utf-8")
    css = re.sub(r"""url\(\s*["']?((?!data:|#|["']|\w+://)[^"')]+)["']?\s*\)""", moved, css)
    return re.sub(r"""@import\s+["']([^"']+)["'];""", imported, css)


def join(pages: dict[Path, BeautifulSoup], static: Path) -> None:
    """Write the one style sheet, and have every page ask for it instead of its own."""
    sheets: dict[Path, str] = {}  # and the media that each is for
    links: list[tuple[Path, list[Tag]]] = []
    words: set[str] = set()
    on_pages: set[str] = set()
    for path, page in pages.items():
        links.append((path, page.find_all("link", rel="stylesheet")))
        for link in links[-1][1]:
            sheet = (path.parent / str(link["href"]).partition("?")[0]).resolve()
            sheets[sheet] = str(link.get("media") or "all")
        for script in page.find_all("script"):
            file = path.parent / str(script.get("src") or "").partition("?")[0]
            words.add(file.read_text(encoding="utf-8") if script.get("src") else script.get_text())
        on_pages |= names(page)
    known = Known(on_pages, "\n".join(sorted(words)))
    whole = "\n".join(
        f"@media {media} {{ {read(sheet, static)} }}" if media != "all" else read(sheet, static)
        for sheet, media in sheets.items()
    )
    css = kept(tinycss2.parse_stylesheet(whole, skip_whitespace=True), known)
    address = write(static / JOINED, fonts.icons(static, css) + css)
    for path, (first, *others) in links:
        first["href"] = address(path)
        for other in others:
            other.decompose()
    address = write(static / fonts.MATH_STYLES, fonts.formulas(pages))
    for path, page in pages.items():
        if page.body and page.find("math"):  # at the end, where it holds up nothing
            page.body.append(page.new_tag("link", rel="stylesheet", href=address(path)))


def write(sheet: Path, css: str) -> Callable[[Path], str]:
    """Write a style sheet; return how a page addresses it, so that no older one is taken from a cache."""
    css = '@charset "UTF-8";\n' + css
    sheet.write_text(css, encoding="utf-8")
    version = hashlib.sha256(css.encode()).hexdigest()[:8]
    return lambda page: f"{Path(os.path.relpath(sheet, page.parent)).as_posix()}?v={version}"
