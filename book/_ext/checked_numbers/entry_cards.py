"""How the page of checked figures shows one: its sentence, what it is worth, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from checked_numbers.markdown_sentences import NEXT_CELL
from checked_numbers.number_ledger import ANY, Entry, Place
from checked_numbers.numbers_in_prose import marked
from checked_numbers.prose_pages import Page

if TYPE_CHECKING:
    from checked_numbers.expression_values import Value

CARD = "checked-figure"
ROWS = re.compile(r"\\begin\{aligned\}(.*)\\end\{aligned\}", re.DOTALL)


def _formula(latex: str) -> nodes.inline:
    """A formula in a sentence: what the chapter sets in rows stands row by row, narrow enough for a phone."""
    aligned = ROWS.fullmatch(latex.strip())
    rows = aligned[1].replace("&", "").split(r"\\") if aligned else [latex]
    return nodes.inline("", "", *(nodes.math(row.strip(), row.strip()) for row in rows))


_NODES: dict[str, Callable[[str], nodes.Node]] = {
    "text": nodes.Text,
    "math": _formula,
    "code": lambda code: nodes.literal(code, code),
}


def card(
    entry: Entry, places: Sequence[Place], value: Value | None, env: BuildEnvironment
) -> nodes.container:
    """One figure of the ledger; `places` holds at least one, and `value` is None where there is a source."""
    worth = _worth(entry, value) if value else [nodes.Text(f"From {entry.source}")]
    lines = [nodes.paragraph("", "", *_sentence(places[0])), nodes.paragraph("", "", *worth)]
    if entry.page == ANY:
        lines.append(stated_in([place.page for place in places], env))
    return nodes.container("", *lines, classes=[CARD])


def _sentence(place: Place) -> list[nodes.Node]:
    """The sentence with the figure marked, its maths as maths and its code as code.

    What a page does not show as a sentence is named: a row of a table, the words that stand for a picture.
    """
    parts: list[nodes.Node] = []
    pieces = place.page.sentences[place.index]
    in_table = any(piece.kind == "text" and NEXT_CELL in piece.source for piece in pieces)
    if in_table:
        parts.append(nodes.emphasis("", "In a table: "))
    elif place.index in place.page.described:
        parts.append(nodes.emphasis("", "In the words for a picture: "))
    for kind, text, is_figure in marked(pieces, place.start, place.end):
        if in_table and kind == "text":
            text = re.sub(r"(?:\s*\|\s*)+", "; ", text)  # once, however many cells are empty
            text = text if len(parts) > 1 else text.removeprefix("; ")
        part = _NODES[kind](text)
        parts.append(nodes.inline("", "", part, classes=["checked-number"]) if is_figure else part)
    return parts


def _worth(entry: Entry, value: Value) -> list[nodes.Node]:
    from checked_numbers.expression_values import shown  # only here: PyTorch takes its time to load

    code = nodes.literal(entry.expression, entry.expression, classes=["code"], language="python")
    worth = map(shown, value.values, value.errors, entry.numbers)
    return [code, nodes.Text(" = "), nodes.strong("", ", ".join(worth))]


def stated_in(pages: Sequence[Page], env: BuildEnvironment) -> nodes.paragraph:
    """A line that leads to the pages."""
    line = nodes.paragraph("", "Stated in ", classes=["checked-where"])
    for number, (page, _) in enumerate(groupby(pages)):
        in_book = page.document in env.found_docs
        link: nodes.Node = nodes.inline("", page.title if in_book else page.path.name)
        if in_book:
            target = dict(refdomain="std", reftype="doc", reftarget=f"/{page.document}", refexplicit=True)
            link = addnodes.pending_xref("", link, refdoc=env.docname, refwarn=True, **target)
        line += [nodes.Text(", " if number else ""), link]
    return line
