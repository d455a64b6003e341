"""Cards for the page of checked figures: an entry's sentence, its value, and the pages that state it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from checked_numbers.markdown_sentences import CELL_SEPARATOR
from checked_numbers.number_ledger import ANY_PAGE, Entry, Occurrence
from checked_numbers.numbers_in_prose import split_at
from checked_numbers.prose_pages import Page

if TYPE_CHECKING:
    from checked_numbers.expression_values import Value

CARD_CLASS = "checked-figure"
ROWS = re.compile(r"\\begin\{aligned\}(.*)\\end\{aligned\}", re.DOTALL)


def _formula(latex: str) -> nodes.inline:
    """Return an inline formula; aligned rows become separate formulas, narrow enough for a phone."""
    aligned = ROWS.fullmatch(latex.strip())
    rows = aligned[1].replace("&", "").split(r"\\") if aligned else [latex]
    return nodes.inline("", "", *(nodes.math(row.strip(), row.strip()) for row in rows))


_NODES: dict[str, Callable[[str], nodes.Node]] = {
    "text": nodes.Text,
    "math": _formula,
    "code": lambda code: nodes.literal(code, code),
}


def entry_card(
    entry: Entry, occurrences: Sequence[Occurrence], value: Value | None, env: BuildEnvironment
) -> nodes.container:
    """Return the card of an entry that has one or more occurrences, and a value unless it names a source."""
    origin = _computation(entry, value) if value else [nodes.Text(f"From {entry.source}")]
    lines = [nodes.paragraph("", "", *_sentence(occurrences[0])), nodes.paragraph("", "", *origin)]
    if entry.page == ANY_PAGE:
        lines.append(page_links([occurrence.page for occurrence in occurrences], env))
    return nodes.container("", *lines, classes=[CARD_CLASS])


def _sentence(occurrence: Occurrence) -> list[nodes.Node]:
    """Return the sentence with the figure marked, labelled if it is a table row or a text alternative."""
    parts: list[nodes.Node] = []
    pieces = occurrence.page.sentences[occurrence.index]
    in_table = any(piece.kind == "text" and CELL_SEPARATOR in piece.source for piece in pieces)
    if in_table:
        parts.append(nodes.emphasis("", "In a table: "))
    elif occurrence.index in occurrence.page.alt_texts:
        parts.append(nodes.emphasis("", "In the words for a picture: "))
    for kind, text, is_figure in split_at(pieces, occurrence.start, occurrence.end):
        if in_table and kind == "text":
            text = re.sub(r"(?:\s*\|\s*)+", "; ", text)  # one separator for any number of empty cells
            text = text if len(parts) > 1 else text.removeprefix("; ")
        part = _NODES[kind](text)
        parts.append(nodes.inline("", "", part, classes=["checked-number"]) if is_figure else part)
    return parts


def _computation(entry: Entry, value: Value) -> list[nodes.Node]:
    from checked_numbers.expression_values import format_value  # here: PyTorch loads slowly

    code = nodes.literal(entry.expression, entry.expression, classes=["code"], language="python")
    values = map(format_value, value.values, value.errors, entry.numbers)
    return [code, nodes.Text(" = "), nodes.strong("", ", ".join(values))]


def page_links(pages: Sequence[Page], env: BuildEnvironment) -> nodes.paragraph:
    """Return a line with links to the pages."""
    line = nodes.paragraph("", "Stated in ", classes=["checked-where"])
    for number, (page, _) in enumerate(groupby(pages)):
        in_book = page.document in env.found_docs
        link: nodes.Node = nodes.inline("", page.title if in_book else page.path.name)
        if in_book:
            target = dict(refdomain="std", reftype="doc", reftarget=f"/{page.document}", refexplicit=True)
            link = addnodes.pending_xref("", link, refdoc=env.docname, refwarn=True, **target)
        line += [nodes.Text(", " if number else ""), link]
    return line
