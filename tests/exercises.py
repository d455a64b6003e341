"""The exercises and self-checks of a notebook, as its cells hold them."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = [f"notebooks/{path.stem}" for path in NOTEBOOKS]
KINDS = {"Predict", "Compute", "Implement", "Explain"}
BEGIN = re.compile(
    r'<b id="(?P<id>\S+)">Exercise (?P<number>\d+\.\d+)</b>\n\n'
    r":::\{exercise\} (?P<title>.+)\n:label: (?P<label>\S+)\n:class: (?P<class>\S+)\n\n(?P<text>.*)\n\n:::",
    re.S,
)
START = ":::{solution-start} "
END = "\n\n:::{solution-end}\n:::"

Cell = dict[str, Any]


@dataclass(frozen=True)
class Exercise:
    """One exercise, and the cells of the solution that is directly beneath it; none if it has none there."""

    label: str
    number: str  # as plain Jupyter shows it
    title: str
    kind: str  # as the class has it
    text: str
    solution: list[Cell]


def cells_of(path: Path) -> list[Cell]:
    """A notebook's cells, each with its source as one string."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell | {"source": "".join(cell["source"])} for cell in cells]


def exercises_of(path: Path) -> list[Exercise]:
    """A notebook's exercises in their order."""
    cells, found = cells_of(path), []
    for number, cell in enumerate(cells):
        if ":::{exercise}" not in cell["source"]:
            continue
        match = BEGIN.fullmatch(cell["source"])
        assert match, cell["source"][:80]
        solution: list[Cell] = []
        if number + 1 < len(cells) and cells[number + 1]["source"].startswith(f"{START}{match['label']}\n"):
            for following in cells[number + 1 :]:
                solution.append(following)
                if following["source"].endswith(END):
                    break
        assert match["id"] == match["label"], match["id"]
        found.append(
            Exercise(match["label"], match["number"], match["title"], match["class"], match["text"], solution)
        )
    return found


def solution_ids(path: Path) -> set[str]:
    """The ids of all cells that are part of a solution."""
    return {cell["id"] for exercise in exercises_of(path) for cell in exercise.solution}


def self_check_cells(path: Path) -> list[Cell]:
    """The cells that end in a call of `self_check`."""
    return [cell for cell in cells_of(path) if cell["cell_type"] == "code" and _call(cell["source"])]


def _call(source: str) -> bool:
    last = ast.parse(re.sub(r"^[%!].*$", "pass", source, flags=re.M)).body[-1]
    return isinstance(last, ast.Expr) and ast.unparse(last.value).startswith("self_check(")
