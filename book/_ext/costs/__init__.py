"""The directive `{costs}`: the book's costs as tables, from `book/costs.yml`, which `make bench` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from costs.costs_file import COSTS_FILE, Line, load_costs

COLUMNS = ("ours", "peer", "ratio", "at most")
TABLE_CLASS = "costs"


def format_cells(line: Line) -> tuple[str, str, str, str]:
    """Format a line for the columns."""
    amounts = [f"{value:,.4g} {line.unit}" if value else "" for value in (line.ours, line.theirs)]
    if line.ratio is None:
        return amounts[0], "", "", f"{line.target:g} {line.unit}"
    return amounts[0], amounts[1], f"{line.ratio:.2f}", f"{line.target:g}"


class Costs(SphinxDirective):
    """`costs`: a table with two rows a line, the comparison and then its figures, to fit on phones."""

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir) / COSTS_FILE
        self.env.note_dependency(str(path))
        try:
            groups = load_costs(path)
        except ValueError as error:
            raise ExtensionError(str(error)) from error
        content: list[nodes.Node] = []
        run: tuple[object, ...] = ()
        for group in groups.values():
            if (measured := (group.date, group.commit, group.machine)) != run:
                run = measured
                words = f"Measured on {group.date:%Y-%m-%d} at commit {group.commit}: {group.machine}."
                content += [nodes.paragraph("", words), _table()]
            body = content[-1].next_node(nodes.tbody)
            for line in group.lines:
                body += _rows(line)
        return content


def _row(*texts: str, span: int = 1) -> nodes.row:
    entries = [nodes.entry("", nodes.paragraph("", text)) for text in texts]
    if span > 1:
        entries[0]["morecols"] = span - 1
    return nodes.row("", *entries)


def _rows(line: Line) -> list[nodes.row]:
    first = _row(f"{line.what}, over {line.peer}" if line.peer else line.what, span=len(COLUMNS))
    first["classes"].append("costs-what")
    return [first, _row(*format_cells(line))]


def _table() -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=25) for _ in COLUMNS), cols=len(COLUMNS))
    group += [nodes.thead("", _row(*COLUMNS)), nodes.tbody()]
    return nodes.table("", group, classes=[TABLE_CLASS])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("costs", Costs)
    app.add_css_file("costs.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
