"""The chapters' exercises: in the notebooks as they are committed, and on the pages as they are built."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from nbformat.v4 import new_code_cell, new_markdown_cell

from explorable.answers import NO_NUMBER, NOTHING_CHOSEN
from tests.exercises import (
    BEGIN,
    END,
    KINDS,
    NOTEBOOKS,
    PAGES,
    START,
    cells_of,
    exercises_of,
    self_check_cells,
)
from tests.small_books import Book

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
each_page = pytest.mark.parametrize("name", PAGES)
REFERENCE = re.compile(r"\[Exercise (\d+\.\d+)\]\(#([\w-]+)\)")

FOLD = "<details><summary>Solution</summary>"
TOY = [
    '<b id="ex-two">Exercise 1</b>\n\n:::{exercise} Two\n:label: ex-two\n:class: compute\n\nAdd.\n\n:::',
    f":::{{solution-start}} ex-two\n:class: dropdown\n:::\n\n{FOLD}\n\nThink.\n\n</details>",
    "2 + 2",
    f"{FOLD}\n\nFour.\n\n</details>\n\n:::{{solution-end}}\n:::",
]


# ---- in the notebooks --------------------------------------------------------------------------------------


@each
def test_source_a_chapter_ends_in_exercises_of_all_four_kinds(path: Path) -> None:
    exercises = exercises_of(path)
    assert len(exercises) >= (6 if path.stem.startswith("01") else 4)
    assert {exercise.kind for exercise in exercises} == {kind.lower() for kind in KINDS}
    for exercise in exercises:
        assert exercise.text.startswith(f"**{exercise.kind.capitalize()}.** "), exercise.label
    cells = cells_of(path)
    heading = next(n for n, cell in enumerate(cells) if cell["source"].startswith("## Exercises"))
    assert len(cells) - heading - 1 == sum(1 + len(exercise.solution) for exercise in exercises)


@each
def test_source_each_exercise_has_its_solution_directly_beneath_it(path: Path) -> None:
    for exercise in exercises_of(path):
        assert exercise.solution, f"{exercise.label} has no solution beneath it"
        assert exercise.solution[-1]["source"].endswith(END), exercise.label
        prose = [cell for cell in exercise.solution if cell["cell_type"] == "markdown"]
        assert sum(len(cell["source"].split()) for cell in prose) >= 60, f"{exercise.label} does not explain"


@each
def test_source_a_solution_is_folded_in_plain_jupyter_too(path: Path) -> None:
    for exercise in exercises_of(path):
        for number, cell in enumerate(exercise.solution):
            if cell["cell_type"] == "code":
                assert cell["metadata"]["jupyter"] == {"source_hidden": True}, cell["id"]
                assert cell["metadata"]["cellView"] == "form", cell["id"]
                continue
            text = cell["source"].removesuffix(END)
            if number == 0:
                directive, _, text = text.partition("\n:::\n\n")
                assert directive == (
                    f"{START}{exercise.label}\n:label: {exercise.label}-solution\n:class: dropdown"
                )
            assert re.fullmatch(
                r"<details><summary>Solution(, [\w ]+)?</summary>\n\n.*\n\n</details>", text, re.S
            ), f"{exercise.label}: {text[:60]}"


@each
def test_source_a_solution_that_computes_asserts_what_it_shows(path: Path) -> None:
    for exercise in exercises_of(path):
        code = [cell["source"] for cell in exercise.solution if cell["cell_type"] == "code"]
        assert code, exercise.label
        nodes = [node for source in code for node in ast.walk(ast.parse(source))]
        assert any(isinstance(node, ast.Assert) for node in nodes), exercise.label
        assert exercise.kind != "implement" or exercise.label == "ex-untie" or len(nodes) > 30, exercise.label


def test_source_labels_are_unique_and_every_reference_leads_to_the_exercise_of_that_number() -> None:
    numbers: dict[str, str] = {}
    for chapter, path in enumerate(NOTEBOOKS, 1):
        for number, exercise in enumerate(exercises_of(path), 1):
            assert exercise.label not in numbers, exercise.label
            assert exercise.number == f"{chapter}.{number}"
            numbers[exercise.label] = exercise.number
    for path in NOTEBOOKS:
        cells = cells_of(path)
        heading = next(n for n, cell in enumerate(cells) if cell["source"].startswith("## Exercises"))
        texts = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
        for number, label in REFERENCE.findall("\n".join(texts)):
            assert numbers.get(label) == number, f"{path.stem}: Exercise {number} is not {label}"
        assert any(REFERENCE.search(cell["source"]) for cell in cells[:heading]), f"{path.stem} names none"


@each
def test_source_two_self_checks_a_chapter_right_after_what_they_check(path: Path) -> None:
    cells = cells_of(path)
    checks = self_check_cells(path)
    assert [cell["source"].count("choices=") for cell in checks].count(1) == 1  # the other asks for a number
    assert len(checks) == 2
    heading = next(n for n, cell in enumerate(cells) if cell["source"].startswith("## Exercises"))
    for check in checks:
        assert check["metadata"]["jupyter"] == {"source_hidden": True}  # the answer stands in it
        assert check["metadata"]["tags"] == ["remove-input"]
        place = cells.index(check)
        assert 0 < place < heading
        assert cells[place - 1]["cell_type"] == "markdown"


@each
def test_source_the_right_number_is_computed_and_never_typed(path: Path) -> None:
    for cell in self_check_cells(path):
        last = ast.parse(cell["source"]).body[-1]
        assert isinstance(last, ast.Expr)
        assert isinstance(last.value, ast.Call)
        given = {word.arg: word.value for word in last.value.keywords}
        if "tolerance" in given:
            names = {node.id for node in ast.walk(given["answer"]) if isinstance(node, ast.Name)}
            assert names, f"{cell['id']}: {ast.unparse(given['answer'])} is typed"


@pytest.mark.parametrize(
    "source", [":::{exercise}\n:label: a\n\nNo title.\n:::", ":::{exercise} T\n\nNo label.\n:::"]
)
def test_an_exercise_without_a_title_or_a_label_is_none(source: str) -> None:
    assert not BEGIN.fullmatch(source)


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
    chapter = int(name.partition("/")[2][:2])
    exercises = page.select("div.admonition.exercise")
    assert len(exercises) == len(exercises_of(NOTEBOOKS[chapter - 1]))
    for number, (exercise, source) in enumerate(zip(exercises, exercises_of(NOTEBOOKS[chapter - 1])), 1):
        assert words(exercise.select_one(".admonition-title")).startswith(f"Exercise {chapter}.{number}")
        assert exercise["id"] == source.label
        fold = exercise.find_next_sibling()
        assert isinstance(fold, Tag)
        assert fold.name == "details"
        assert not fold.has_attr("open")
        assert words(fold.summary) == f"Solution to Exercise {chapter}.{number}"
        assert not fold.select("summary a, details, .admonition")
        assert fold.select(".cell_output"), f"{source.label} shows nothing that was run"
    assert len(page.select("details.solution")) == len(exercises)
    assert not page.select(".dropdown.admonition, .toggle")
    assert not re.search(r":::|solution-(start|end)", words(page.select_one("article")))


@pytest.mark.site
def test_no_page_loads_the_toggle_button(site: Path) -> None:
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            loaded = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select("script, link")
            assert "togglebutton" not in "".join(map(str, loaded)).lower(), path.name


@pytest.mark.site
@each_page
def test_each_self_check_is_a_question_and_every_answer_with_its_reason(site: Path, name: str) -> None:
    checks = page_of(site, name).select(".self-check")
    assert len(checks) == 2
    for check in checks:
        assert words(check.select_one("fieldset > legend")).endswith("?")
        reasons = check.select("details li")
        assert len(reasons) >= 4
        assert [reason.has_attr("data-right") for reason in reasons].count(True) == 1
        explanations = [words(reason.select_one("span")) for reason in reasons]
        assert all(len(reason.split()) >= 5 for reason in explanations), explanations
        assert len(set(explanations)) == len(explanations)
        radios = check.select("input[type=radio]")
        assert len(radios) in (0, len(reasons))
        assert check["data-unanswered"] == (NOTHING_CHOSEN if radios else NO_NUMBER)


@pytest.mark.site
def test_only_pages_with_a_self_check_load_its_script(site: Path) -> None:
    for path in site.rglob("*.html"):
        if "_static" not in path.parts:
            page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
            scripts = page.select("script[src*='question.js']")
            assert len(scripts) == bool(page.select(".self-check")), path.name
    assert (site / "_static" / "explorable" / "question.js").stat().st_size < 2560


@pytest.mark.site
def test_the_search_index_holds_the_words_of_questions_and_nothing_of_their_markup(site: Path) -> None:
    script = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("Search.setIndex(").removesuffix(")"))
    assert "thaw" in index["terms"]  # of a solution
    gibberish = re.compile(
        r"data-|self-check|autocomplet|inputmod|fieldset|&|<|solution-(start|end)|spellcheck"
    )
    assert not [term for term in index["terms"] if gibberish.search(term)]


# ---- in a small book ---------------------------------------------------------------------------------------


def test_a_small_book_folds_its_solution_once(toy: Book) -> None:
    cells = [new_markdown_cell("# A toy\n\nSee [Exercise 1](#ex-two).", id="c0")]
    for number, source in enumerate(TOY, 1):
        new = new_code_cell if source == "2 + 2" else new_markdown_cell
        cells.append(new(source, id=f"c{number}"))
    path = toy.notebook()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=nbformat.read(path, 4).metadata), path)
    built = toy.make("book")
    assert built.returncode == 0, built.stdout + built.stderr
    page = BeautifulSoup(toy.page(), "html.parser")
    fold = page.select_one("div.admonition.exercise + details.solution")
    assert fold is not None
    assert fold.select(".cell_output")
    assert words(fold.summary) == "Solution to Exercise 1"
    assert not fold.select("details")
    assert not page.select("b#ex-two")
    assert [words(p) for p in fold.find_all("p")] == ["Think.", "Four."]
    assert page.select_one("a[href='#ex-two']")
