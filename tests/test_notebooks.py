"""The notebooks as they are committed, and as they run: alone, from wherever a reader may start them."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.bench.notebook_memory import PEAK
from tests.exercises import NOTEBOOKS, ROOT, cells_of, solution_ids

MEMORY = 1.5e9  # bytes that a notebook may take at its peak
TAGS = set(
    "raises-exception hide-input hide-output hide-cell remove-cell remove-input remove-output output_scroll "
    "full-width margin".split()
)
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path: Path) -> Iterator[tuple[dict[str, Any], ast.Module]]:
    """Yield every code cell with its syntax, line magics left out."""
    for cell in cells_of(path):
        if cell["cell_type"] == "code":
            yield cell, ast.parse(re.sub(r"^[%!].*$", "pass", cell["source"], flags=re.M))


def shown_call(tree: ast.Module) -> ast.Call | None:
    """Return the call whose result a cell shows."""
    last = tree.body[-1]
    return last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None


def test_source_every_notebook_is_a_chapter_and_every_chapter_a_notebook() -> None:
    chapters = re.findall(r"file: notebooks/(\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    assert chapters == [path.stem for path in NOTEBOOKS]
    assert all(re.fullmatch(r"\d\d_[a-z_]+", chapter) for chapter in chapters)


@each
def test_w5_source_is_as_jupyter_writes_it_and_holds_no_output(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    nbformat.validate(notebook)
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"]
    assert "version" not in notebook["metadata"].get("language_info", {})
    cells = cells_of(path)
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["source"].startswith("# ")
    for cell in cells:
        assert cell["source"].strip(), cell["id"]
        assert not cell.get("outputs"), cell["id"]
        assert not cell.get("execution_count"), cell["id"]
        assert not cell.get("attachments"), cell["id"]
        assert not cell["metadata"].keys() & {"execution", "ExecuteTime", "collapsed", "scrolled"}, cell["id"]
        assert set(cell["metadata"].get("tags", [])) <= TAGS, cell["id"]


@each
def test_source_defines_nothing_that_belongs_to_the_package(path: Path) -> None:
    solutions = solution_ids(path)  # where readers are asked to write something, they see what
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    for cell, tree in code_cells(path):
        defined = [node.name for node in ast.walk(tree) if isinstance(node, kinds)]
        assert not defined or cell["id"] in solutions, (cell["id"], defined)


@each
def test_w8_source_cells_that_draw_say_what_is_to_be_seen(path: Path) -> None:
    for cell, tree in code_cells(path):
        shown = cell["metadata"].get("mystnb", {})
        alt = shown.get("image", {}).get("alt", "")
        call = shown_call(tree)
        name = ast.unparse(call.func) if call else ""
        if call and name == "explore":
            alt = next(ast.literal_eval(word.value) for word in call.keywords if word.arg == "alt")
        if (
            name == "explore"
            or re.search(r"(^|\.)(plots\.\w+|plot_\w+)$", name)
            or shown.keys() & {"figure", "image"}
        ):
            assert len(alt.split()) >= 8, f"cell {cell['id']}: {alt!r} does not say what is to be seen"
            assert shown.get("figure", {}).get("caption"), f"cell {cell['id']} has no caption"


@each
def test_source_a_demo_asks_for_a_guess_first_and_says_afterwards_what_was_seen(path: Path) -> None:
    cells = cells_of(path)
    calls = {cell["id"]: shown_call(tree) for cell, tree in code_cells(path)}
    demos = [
        n
        for n, cell in enumerate(cells)
        if (call := calls.get(cell["id"])) and ast.unparse(call.func) == "explore"
    ]
    assert demos, "a chapter without a slider"
    for number in demos:
        before, after = cells[number - 1], cells[number + 1]
        assert before["cell_type"] == after["cell_type"] == "markdown"
        guess = r"\*\*Guess first\.\*\*.*\?.*<details>\s*<summary>Answer</summary>.*</details>$"
        assert re.search(guess, before["source"], flags=re.S), before["source"]
        assert re.match(r"[A-Z].*[.:]", after["source"]), after["source"]


def run(path: Path, cwd: Path) -> float:
    """Run a notebook in a fresh kernel whose folder is `cwd`; return the kernel's peak memory in bytes."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
    where = {"metadata": {"path": str(cwd)}}
    NotebookClient(notebook, timeout=900, kernel_name="python3", resources=where).execute()
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
    assert set((ROOT / folder).glob("[!.]*")) == before


@each
def test_a_chapter_takes_as_long_to_read_as_the_introduction_says(path: Path) -> None:
    text = "\n".join(cell["source"] for cell in cells_of(path) if cell["cell_type"] == "markdown")
    words = re.sub(
        r"\$\$.*?\$\$|\$[^$]*\$|<[^>]+>|\{cite\}`[^`]*`|\]\([^)]*\)", " x ", text, flags=re.S
    ).split()
    intro = (ROOT / "book/intro.md").read_text(encoding="utf-8")
    stated = re.search(rf"notebooks/{path.stem}>` \|.*\| (\d+) min \|", intro)
    assert stated
    assert abs(int(stated[1]) - len(words) / 200) < 1.5
    assert int(stated[1]) <= 25
