"""Source code and tables as Markdown, which a page, Jupyter and Colab all render."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from tabulate import tabulate

_SIGN = re.compile(r"^-(?=\d)")  # not the hyphen in 1e-3 or GPT-2


class Markdown(str):
    """Text that a notebook renders as Markdown."""

    def _repr_markdown_(self) -> str:
        return str(self)


def show_source(thing: Callable[..., Any] | type, *, docstring: bool = False) -> Markdown:
    """Return the source of a function, method or class as a highlighted block, by default without docstrings.

    Raises TypeError if `thing` has no Python source.
    """
    source = textwrap.dedent(inspect.getsource(thing))
    return Markdown(f"```python\n{(source if docstring else _without_docstrings(source)).rstrip()}\n```")


def show_table(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> Markdown:
    """Return rows as a table. Numbers must already be formatted; True and False become yes and no.

    In a column of numbers a hyphen becomes a minus sign, as wide as a plus, as in matplotlib.
    Raises ValueError if a row does not have one cell for each of `columns`.
    """
    rows = list(rows)
    for row in rows:
        if len(row) != len(columns):
            raise ValueError(f"rows must have a cell for each of {len(columns)} columns, got {row!r}")
    words = {True: "yes", False: "no"}
    cells = [[_in_a_cell(words[cell] if isinstance(cell, bool) else cell) for cell in row] for row in rows]
    numbers = [_is_number(column) for column in zip(*cells, strict=True)]
    cells = [[_SIGN.sub("−", cell) if n else cell for cell, n in zip(row, numbers)] for row in cells]
    align = ["right" if is_number else "left" for is_number in numbers]
    return Markdown(tabulate(cells, columns, tablefmt="pipe", colalign=align or None, disable_numparse=True))


def _in_a_cell(value: Any) -> str:
    text = str(value).replace("|", "\\|").replace("\n", " ")  # these would end the cell, or the row
    return text.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}").replace(" %", "\N{NO-BREAK SPACE}%")


def _is_number(column: Sequence[Any]) -> bool:
    """Return whether a column contains only numbers, or dashes for missing ones."""
    return all(re.match(r"[-+−–]?\d|–$", str(cell)) for cell in column)


def _without_docstrings(source: str) -> str:
    dropped: set[int] = set()  # line numbers, from 1
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            dropped.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return "\n".join(line for number, line in enumerate(source.splitlines(), 1) if number not in dropped)
