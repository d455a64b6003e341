"""Rebuilds a submission from the released notebook: only the student's answers and own cells are copied.

nbgrader restores the text of an edited test cell. But it does not notice a deleted one, and it obeys a tag
that skips a cell: a test without output then gets all its points. Here every cell of the release appears
once, in its order, with its own metadata.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

import nbformat

MAX_PICTURES = 8_000_000  # characters of all pictures in one answer

# The last cell. It must fail, which shows that the kernel still runs what it is sent; and its message is the
# id that the answers were computed with.
CANARY = 'assert False, f"STUDENT_ID is {STUDENT_ID!r}"'
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


class NotANotebookError(ValueError):
    """A submission cannot be read as a notebook."""


def read_notebook(content: bytes) -> Any:
    """Return the notebook in a file. Raises NotANotebookError if there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # duplicate ids: every cell gets a new one
            notebook = nbformat.reads(content.decode(json.detect_encoding(content)), as_version=4)
        cells = [(cell.cell_type, cell.source, cell.metadata) for cell in notebook.cells]
    except Exception as error:
        raise NotANotebookError("the submission is not a notebook") from error
    if not all(isinstance(source, str) and isinstance(data, dict) for _, source, data in cells):
        raise NotANotebookError("the submission is not a notebook")
    return notebook


def rebuild(submitted: Any, released: Any) -> tuple[Any, list[str]]:
    """Return the released notebook with the student's answers and own cells, and flags for what was changed.

    A student's own cell stays before the cell that it preceded, so that helpers are defined when needed.
    """
    frame = [cell for cell in released.cells if grade_id(cell)]
    known = {grade_id(cell): cell for cell in frame}
    answers: dict[str, list[Any]] = {}
    own: dict[str, list[Any]] = {}
    seen: list[str] = []
    pending: list[Any] = []
    for cell in submitted.cells:
        name = grade_id(cell)
        if name in known:
            own.setdefault(name, []).extend(pending)
            pending = []
            seen.append(name)
            answers.setdefault(name, []).append(cell)
        elif cell.source.strip():
            pending.append(_text_only(cell))
    cells = []
    for cell in frame:
        name = grade_id(cell)
        given = answers.get(name, [])
        cells += own.get(name, [])
        if _is_answer(cell) and given:
            cells += [_text_only(earlier) for earlier in given[:-1]]  # the last one counts, as in the kernel
            answer = nbformat.from_dict(cell | {"source": writable(given[-1].source)})
            if answer.cell_type == "markdown" and (pictures := _pictures(given[-1])):
                answer.attachments = pictures
            cells.append(answer)
        else:
            cells.append(cell)
    rebuilt = nbformat.from_dict(
        released | {"cells": _with_ids([*cells, *pending, nbformat.v4.new_code_cell(CANARY)])}
    )
    return rebuilt, _flags(known, answers, seen)


def _flags(known: dict[str, Any], answers: dict[str, list[Any]], seen: list[str]) -> list[str]:
    flags = [f"deleted and restored: {name}" for name in known if name not in answers]
    for name, given in answers.items():
        if len(given) > 1:
            flags.append(f"present {len(given)} times: {name}")
        if not _is_answer(known[name]) and any(_differs(cell, known[name]) for cell in given):
            flags.append(f"edited and restored: {name}")
        if any("skip-execution" in str(cell.metadata.get("tags")) for cell in given):
            flags.append(f"tagged skip-execution: {name}")
        if _is_answer(known[name]) and _pictures(given[-1]) != (given[-1].get("attachments") or {}):
            flags.append(f"attachments removed, too large or not pictures: {name}")
    order = [name for name in known if name in answers]
    if list(dict.fromkeys(seen)) != order:
        flags.append("cells reordered, order restored")
    return flags


def student_ids(notebook: Any) -> list[str]:
    """Return the values assigned to `STUDENT_ID`, last first, because the last one counts.

    A value that is not a string literal is returned as source code.
    """
    values: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or "STUDENT_ID" not in cell.source:
            continue
        try:
            lines = list(ast.walk(ast.parse(cell.source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for line in lines:
            if not isinstance(line, ast.Assign | ast.AnnAssign | ast.NamedExpr) or line.value is None:
                continue
            targets = line.targets if isinstance(line, ast.Assign) else [line.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            if "STUDENT_ID" in names:
                match line.value:
                    case ast.Constant(value=str(text)):
                        values.append(text)
                    case code:
                        values.append(ast.unparse(code))
    return list(dict.fromkeys(reversed(values)))


def grade_id(cell: Any) -> str:
    """Return the nbgrader id of a cell; empty if it has none."""
    metadata = cell.metadata.get("nbgrader")
    name = metadata.get("grade_id") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) else ""


def _is_answer(cell: Any) -> bool:
    return bool(cell.metadata["nbgrader"].get("solution"))


def _differs(cell: Any, released: Any) -> bool:
    return bool(cell.source.rstrip() != released.source.rstrip() or cell.cell_type != released.cell_type)


def _text_only(cell: Any) -> Any:
    """Return a new cell with the same text, without metadata or outputs."""
    make = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
    return make(writable(cell.source))


def _pictures(cell: Any) -> dict[str, dict[str, str]]:
    """Return the attachments of a cell; empty if they are too large or not all pictures."""
    found = cell.get("attachments")
    if not isinstance(found, dict) or len(str(found)) > MAX_PICTURES:
        return {}
    for kinds in found.values():
        if not isinstance(kinds, dict) or not all(
            kind.startswith("image/") and isinstance(data, str) and _BASE64.fullmatch(data)
            for kind, data in kinds.items()
        ):
            return {}
    return dict(found)


def writable(source: str) -> str:
    """Replace lone surrogates, which JSON can represent and a UTF-8 file cannot."""
    return source.encode("utf-8", errors="replace").decode("utf-8")


def _with_ids(cells: list[Any]) -> list[Any]:
    """Return the cells with ids that are unique and the same in every run."""
    return [nbformat.from_dict(cell | {"id": f"cell-{number}"}) for number, cell in enumerate(cells)]
