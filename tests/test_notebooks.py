"""The notebooks as they are committed, and as they run: alone, from wherever a reader may start them."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.bench.notebook_memory import PEAK
from tests.exercises import solution_ids

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MEMORY = 1.5e9  # bytes that a notebook may take at its peak
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def raw(path: Path) -> dict[str, Any]:
    """The file as it is, without what a reader of notebooks would mend silently."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def code_cells(path: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Id, source and metadata of every code cell."""
    cells = [cell for cell in raw(path)["cells"] if cell["cell_type"] == "code"]
    return [(cell["id"], "".join(cell["source"]), cell["metadata"]) for cell in cells]


def tree(source: str) -> ast.Module:
    """The cell's syntax, line magics left out."""
    return ast.parse(re.sub(r"^[%!].*$", "pass", source, flags=re.M))


def explores(source: str) -> ast.Call | None:
    """The call of `explore` that a cell ends in, if it does."""
    body = tree(source).body
    last = body[-1] if body else None
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last.value if ast.unparse(last.value.func) == "explore" else None
    return None


def draws(source: str) -> bool:
    """Whether a cell's last line shows the result of a plotting function."""
    body = tree(source).body
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, ast.Call):
        return False
    name = ast.unparse(last.value.func)
    return name.startswith(("plots.", "plot_")) or ".plots." in name or "plot_" in name.rpartition(".")[2]


def test_source_every_notebook_is_a_chapter_and_every_chapter_a_notebook() -> None:
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    chapters = [Path(name).name for name in re.findall(r"file: (notebooks/\S+)", toc)]
    assert chapters == [path.stem for path in NOTEBOOKS]
    assert all(re.fullmatch(r"\d\d_[a-z_]+", stem) for stem in chapters)


@each
def test_w5_source_validates_and_holds_no_output(path: Path) -> None:
    notebook = raw(path)
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], cell["id"]
            assert cell["execution_count"] is None, cell["id"]
        assert not cell.get("attachments"), cell["id"]
        assert not cell["metadata"].keys() & {"execution", "ExecuteTime", "collapsed", "scrolled"}, cell["id"]


@each
def test_w5_source_cell_ids_are_unique_and_cells_not_empty(path: Path) -> None:
    cells = raw(path)["cells"]
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids)
    assert all("".join(cell["source"]).strip() for cell in cells)
    assert "".join(cells[0]["source"]).startswith("# ")


@each
def test_w5_source_is_written_as_jupyter_writes_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")  # so that saving a notebook, or a hook, changes what was changed
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"


@each
def test_source_defines_nothing_that_belongs_to_the_package(path: Path) -> None:
    solutions = solution_ids(path)  # where readers are asked to write something, they see what
    for cell, source, _ in code_cells(path):
        if cell in solutions:
            continue
        defined = [
            node
            for node in ast.walk(tree(source))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        ]
        assert not defined, f"cell {cell} defines {defined[0].name}" if defined else ""


@each
def test_w8_source_cells_that_draw_say_what_is_to_be_seen(path: Path) -> None:
    for cell, source, metadata in code_cells(path):
        shown = metadata.get("mystnb", {})
        alt = shown.get("image", {}).get("alt", "")
        if demo := explores(source):
            alt = next(ast.literal_eval(word.value) for word in demo.keywords if word.arg == "alt")
        if demo or draws(source) or "figure" in shown or "image" in shown:
            assert len(alt.split()) >= 8, f"cell {cell}: {alt!r} does not say what is to be seen"
            assert shown.get("figure", {}).get("caption"), f"cell {cell} has no caption"


@each
def test_source_a_demo_asks_for_a_guess_first_and_says_afterwards_what_was_seen(path: Path) -> None:
    cells = raw(path)["cells"]
    code = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code"]
    demos = [n for n in code if explores("".join(cells[n]["source"]))]
    assert demos, "a chapter without a slider"
    for number in demos:
        before, after = ("".join(cells[number + step]["source"]) for step in (-1, 1))
        assert [cells[number + step]["cell_type"] for step in (-1, 1)] == ["markdown"] * 2
        assert "**Guess first.**" in before
        folded = r"\?.*<details>\s*<summary>Answer</summary>.*</details>$"
        assert re.search(folded, before, flags=re.S), before
        assert re.match(r"[A-Z].*[.:]", after), after


@each
def test_source_tags_are_known(path: Path) -> None:
    known = {"raises-exception", "hide-input", "hide-output", "hide-cell", "remove-cell", "remove-input"}
    known |= {"remove-output", "output_scroll", "full-width", "margin"}
    for cell, _, metadata in code_cells(path):
        assert set(metadata.get("tags", [])) <= known, cell


def run(path: Path, cwd: Path) -> float:
    """Run a notebook in a fresh kernel whose folder is `cwd`; return the kernel's peak memory in bytes."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
    NotebookClient(
        notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(cwd)}}
    ).execute()
    return float(notebook.cells[-1].outputs[0].text)


# The build has just executed all of them in empty folders; the longer ones are measured when there is time.
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] * (path.name[:2] != "03")) for path in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_b3_b7_runs_alone_from_an_empty_folder_in_little_memory(path: Path, tmp_path: Path) -> None:
    alone = shutil.copy2(path, tmp_path)
    assert run(Path(alone), tmp_path) < MEMORY
    assert [file.name for file in tmp_path.iterdir()] == [path.name]  # and leaves nothing behind


@pytest.mark.slow
@pytest.mark.parametrize("folder", [".", "notebooks"])
@each
def test_b3_runs_from_the_root_and_from_its_own_folder(path: Path, folder: str) -> None:
    before = set((ROOT / folder).glob("[!.]*"))
    run(path, ROOT / folder)
    assert set((ROOT / folder).glob("[!.]*")) == before  # and leaves nothing behind
