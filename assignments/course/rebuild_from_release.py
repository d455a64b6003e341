"""Puts a student's answers into the problem set as it was released, whatever else became of the notebook.

nbgrader restores the text of a test cell that was edited. It does not miss one that was deleted, and it
believes a tag of a cell that tells it to leave the cell out: then a test without output has all its points.
Here the released notebook is the frame: its cells stand in their order, once, and of the submission only
sources are taken.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from typing import Any

import nbformat

LARGEST_PICTURES = 8_000_000  # characters, of all pictures in one answer

# Stands behind everything and must fail: where a kernel was talked out of running tests it does not. And the
# id that it tells is the one that the answers were computed with.
CANARY = 'assert False, f"STUDENT_ID is {STUDENT_ID!r}"'
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")


class NoNotebookError(ValueError):
    """What was handed in cannot be read as a notebook."""


def read(content: bytes) -> Any:
    """The notebook in a file. Raises NoNotebookError, with the reason in words."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ids that stand twice: every cell gets a new one
            notebook = nbformat.reads(content.decode(json.detect_encoding(content)), as_version=4)
        cells = [(cell.cell_type, cell.source, cell.metadata) for cell in notebook.cells]
    except Exception as error:
        raise NoNotebookError("what was handed in is not a notebook") from error
    if not all(isinstance(source, str) and isinstance(data, dict) for _, source, data in cells):
        raise NoNotebookError("what was handed in is not a notebook")
    return notebook


def rebuild(submitted: Any, released: Any) -> tuple[Any, list[str]]:
    """The released notebook with the submission's answers and own cells, and what was odd about it.

    A cell of the student's own stays before the cell that it preceded, so that helpers are there when needed.
    """
    frame = [cell for cell in released.cells if label(cell)]
    known = {label(cell): cell for cell in frame}
    answers: dict[str, list[Any]] = {}
    own: dict[str, list[Any]] = {}
    seen: list[str] = []
    waiting: list[Any] = []
    for cell in submitted.cells:
        name = label(cell)
        if name in known:
            own.setdefault(name, []).extend(waiting)
            waiting = []
            seen.append(name)
            answers.setdefault(name, []).append(cell)
        elif cell.source.strip():
            waiting.append(_bare(cell))
    cells = []
    for cell in frame:
        name = label(cell)
        given = answers.get(name, [])
        cells += own.get(name, [])
        if _is_answer(cell) and given:
            cells += [_bare(earlier) for earlier in given[:-1]]  # the last counts, as it did for the student
            answer = nbformat.from_dict(cell | {"source": writable(given[-1].source)})
            if answer.cell_type == "markdown" and (pictures := _pictures(given[-1])):
                answer.attachments = pictures
            cells.append(answer)
        else:
            cells.append(cell)
    rebuilt = nbformat.from_dict(
        released | {"cells": _with_ids([*cells, *waiting, nbformat.v4.new_code_cell(CANARY)])}
    )
    return rebuilt, _odd(known, answers, seen)


def _odd(known: dict[str, Any], answers: dict[str, list[Any]], seen: list[str]) -> list[str]:
    odd = [f"deleted, put back: {name}" for name in known if name not in answers]
    for name, given in answers.items():
        if len(given) > 1:
            odd.append(f"stood {len(given)} times: {name}")
        if not _is_answer(known[name]) and any(_differs(cell, known[name]) for cell in given):
            odd.append(f"edited, put back: {name}")
        if any("skip-execution" in str(cell.metadata.get("tags")) for cell in given):
            odd.append(f"tagged to be skipped: {name}")
        if _is_answer(known[name]) and _pictures(given[-1]) != (given[-1].get("attachments") or {}):
            odd.append(f"pictures left out, too large or none: {name}")
    order = [name for name in known if name in answers]
    if list(dict.fromkeys(seen)) != order:
        odd.append("cells in another order, put back")
    return odd


def student_ids(notebook: Any) -> list[str]:
    """What the notebook gives to `STUDENT_ID`: the value that counts, which is the last, then the others.

    What is no text between quotes stands there as the code that it is.
    """
    said: list[str] = []
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
                        said.append(text)
                    case code:
                        said.append(ast.unparse(code))
    return list(dict.fromkeys(reversed(said)))


def label(cell: Any) -> str:
    """The name that nbgrader knows a cell by; empty if it knows none."""
    about = cell.metadata.get("nbgrader")
    name = about.get("grade_id") if isinstance(about, dict) else None
    return name if isinstance(name, str) else ""


def _is_answer(cell: Any) -> bool:
    return bool(cell.metadata["nbgrader"].get("solution"))


def _differs(cell: Any, released: Any) -> bool:
    return bool(cell.source.rstrip() != released.source.rstrip() or cell.cell_type != released.cell_type)


def _bare(cell: Any) -> Any:
    """A cell's text and nothing else."""
    make = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
    return make(writable(cell.source))


def _pictures(cell: Any) -> dict[str, dict[str, str]]:
    """The pictures that were pasted into a cell, if they are no more than somebody would look at."""
    found = cell.get("attachments")
    if not isinstance(found, dict) or len(str(found)) > LARGEST_PICTURES:
        return {}
    for kinds in found.values():
        if not isinstance(kinds, dict) or not all(
            kind.startswith("image/") and isinstance(data, str) and _BASE64.fullmatch(data)
            for kind, data in kinds.items()
        ):
            return {}
    return dict(found)


def writable(source: str) -> str:
    """The text without halves of characters, which JSON can hold and no file."""
    return source.encode("utf-8", errors="replace").decode("utf-8")


def _with_ids(cells: list[Any]) -> list[Any]:
    """The cells with ids that are unique and the same in every run."""
    return [nbformat.from_dict(cell | {"id": f"cell-{number}"}) for number, cell in enumerate(cells)]
