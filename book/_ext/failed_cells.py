"""Fails the build after all notebooks have run if a cell raised an exception, and lists those cells."""

from __future__ import annotations

import os
import re
from pathlib import Path

import nbformat
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError


def describe_failed_cell(notebook: Path, traceback: str) -> str:
    """Identify the cell that the `traceback` quotes, by its position and id, and name the exception.

    In a page written as Markdown a cell is identified by its first line.
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", traceback).strip()
    where = "a cell"
    if notebook.suffix == ".ipynb":
        cells = nbformat.read(notebook, as_version=4).cells
        quoted = [
            (len(cell.source), index, cell.get("id", "none"))
            for index, cell in enumerate(cells, start=1)
            if cell.cell_type == "code" and cell.source.strip() and cell.source.strip() in plain
        ]
        if quoted:
            _, index, cell_id = max(quoted)
            where = f"cell {index} of {len(cells)} (id {cell_id})"
    elif found := re.search(r"^-{8,}\n(.+?)\n-{8,}$", plain, flags=re.M | re.S):
        before, quote, _ = notebook.read_text(encoding="utf-8").partition(found.group(1))
        where = f"the cell at line {before.count(chr(10)) + 1}" if quote else where
    return f"{where}: {plain.splitlines()[-1]}"


def fail_on_failed_cells(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Raise ExtensionError with a list of the cells that raised an exception."""
    failures = []
    for page, data in sorted(getattr(env, "nb_metadata", {}).items()):
        if traceback := (data.get("exec_data") or {}).get("traceback"):
            notebook = Path(env.doc2path(page))
            path = os.path.relpath(notebook, app.srcdir)
            failures.append(f"{path}, {describe_failed_cell(notebook, traceback)}")
    if failures:
        raise ExtensionError("\n  ".join(["A cell raised an exception (traceback above):", *failures]))
    return []
