"""The chapters' exercises and self-checks: in the notebooks as committed, and on the pages as built."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.exercises import (
    END,
    KINDS,
    NOTEBOOKS,
    PAGES,
    START,
    Cell,
    cells_of,
    exercises_of,
    self_check_cells,
)

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
each_page = pytest.mark.parametrize("name", PAGES)
REFERENCE = re.compile(r"\[Exercise (\d+\.\d+)\]\(#([\w-]+)\)")
FOLD = re.compile(r"<details><summary>Solution(, [\w ]+)?</summary>\n\n.*\n\n</details>", re.S)


def heading(cells: list[Cell]) -> int:
    """Return the position of the heading of the exercises."""
    return next(n for n, cell in enumerate(cells) if cell["source"].startswith("## Exercises"))


@each
def test_source_a_chapter_ends_in_exercises_of_all_four_kinds_with_their_solutions(path: Path) -> None:
    exercises, cells = exercises_of(path), cells_of(path)
    assert len(exercises) >= (6 if path.stem.startswith("01") else 4)
    assert {exercise.kind for exercise in exercises} == {kind.lower() for kind in KINDS}
    assert len(cells) - heading(cells) - 1 == sum(1 + len(exercise.solution) for exercise in exercises)
    for exercise in exercises:
        assert exercise.text.startswith(f"**{exercise.kind.capitalize()}.** "), exercise.label
        assert exercise.solution[-1]["source"].endswith(END), exercise.label
        prose = [cell["source"] for cell in exercise.solution if cell["cell_type"] == "markdown"]
        code = [cell["source"] for cell in exercise.solution if cell["cell_type"] == "code"]
        assert sum(len(text.split()) for text in prose) >= 60, f"{exercise.label} does not explain"
        nodes = [node for text in code for node in ast.walk(ast.parse(text))]
        assert any(isinstance(node, ast.Assert) for node in nodes), f"{exercise.label} asserts nothing"


@each
def test_source_a_solution_is_folded_in_plain_jupyter_too(path: Path) -> None:
    for exercise in exercises_of(path):
        for cell in exercise.solution:
            if cell["cell_type"] == "code":
                assert cell["metadata"]["jupyter"] == {"source_hidden": True}, cell["id"]
                assert cell["metadata"]["cellView"] == "form", cell["id"]
            else:
                text = cell["source"].removesuffix(END)
                start = (
                    f"{START}{exercise.label}\n:label: {exercise.label}-solution\n:class: dropdown\n:::\n\n"
                )
                assert FOLD.fullmatch(text.removeprefix(start)), f"{exercise.label}: {text[:60]}"


def test_source_labels_are_unique_and_every_reference_leads_to_the_exercise_of_that_number() -> None:
    numbers = {
        exercise.label: (exercise.number, f"{chapter}.{number}")
        for chapter, path in enumerate(NOTEBOOKS, 1)
        for number, exercise in enumerate(exercises_of(path), 1)
    }
    assert len(numbers) == sum(len(exercises_of(path)) for path in NOTEBOOKS)
    assert [label for label, (stated, counted) in numbers.items() if stated != counted] == []
    for path in NOTEBOOKS:
        texts = "\n".join(cell["source"] for cell in cells_of(path) if cell["cell_type"] == "markdown")
        for number, label in REFERENCE.findall(texts):
            assert numbers[label][0] == number, f"{path.stem}: Exercise {number} is not {label}"


@each
def test_source_two_self_checks_a_chapter_right_after_what_they_check(path: Path) -> None:
    cells, checks = cells_of(path), self_check_cells(path)
    assert sorted("tolerance=" in cell["source"] for cell in checks) == [False, True]  # a choice, a number
    for check in checks:
        assert check["metadata"]["jupyter"] == {"source_hidden": True}  # the answer is in it
        assert check["metadata"]["tags"] == ["remove-input"]
        place = cells.index(check)
        assert place < heading(cells)
        assert cells[place - 1]["cell_type"] == "markdown"
        call = ast.parse(check["source"]).body[-1].value
        given = {word.arg: word.value for word in call.keywords}
        names = [node for node in ast.walk(given["answer"]) if isinstance(node, ast.Name)]
        assert names or "tolerance" not in given, f"{check['id']}: the answer is typed, not computed"


# ---- on the pages ------------------------------------------------------------------------------------------


def page_of(site: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def words(element: Tag | None) -> str:
    assert element is not None
    return " ".join(element.get_text().split())


@pytest.mark.site
@each_page
def test_each_solution_is_folded_once_and_closed_beneath_its_exercise(site: Path, name: str) -> None:
    page = page_of(site, name)
    sources = exercises_of(NOTEBOOKS[PAGES.index(name)])
    exercises = page.select("div.admonition.exercise")
    assert [exercise["id"] for exercise in exercises] == [source.label for source in sources]
    for exercise, source in zip(exercises, sources):
        assert words(exercise.select_one(".admonition-title")).startswith(f"Exercise {source.number}")
        fold = exercise.find_next_sibling()
        assert isinstance(fold, Tag)
        assert fold.name == "details"
        assert not fold.has_attr("open")
        assert words(fold.summary) == f"Solution to Exercise {source.number}"
        assert not fold.select("summary a, details, .admonition")
        assert fold.select(".cell_output"), f"{source.label} shows nothing that was run"
    assert len(page.select("details.solution")) == len(exercises)
    assert not re.search(r":::|solution-(start|end)", words(page.select_one("article")))


@pytest.mark.site
def test_only_pages_with_a_self_check_load_its_script(site: Path) -> None:
    for name in [*PAGES, "book/intro", "book/run"]:
        page = page_of(site, name)
        assert len(page.select("script[src*='question.js']")) == bool(page.select(".self-check")), name
