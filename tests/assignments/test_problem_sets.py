"""The problem sets are valid, quick, worth what they say, and different for each student."""

from __future__ import annotations

import contextlib
import json
import re
import time
import unicodedata
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.assignments.student_notebooks import answered, solutions
from tests.assignments.tasks import PROBLEM_SETS, ROOT, SOURCE, STUDENT, check, notebook, tasks
from tests.bench.notebook_memory import PEAK

each = pytest.mark.parametrize("name", PROBLEM_SETS)
MEMORY = 1e9  # bytes
LIMIT = 60  # seconds of processor time: the wall clock depends on what else the machine does


def labels(name: str) -> list[dict[str, Any]]:
    return [cell.metadata["nbgrader"] for cell in notebook(name).cells if "nbgrader" in cell.metadata]


def points(name: str) -> float:
    return sum(label.get("points", 0) for label in labels(name) if label["grade"])


def test_there_are_three() -> None:
    assert PROBLEM_SETS == ["ps1-tying", "ps2-initialization", "ps3-variance"]


@each
def test_g3_source_validates_with_unique_ids_and_the_present_schema(name: str) -> None:
    path = SOURCE / name / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    raw = json.loads(text)
    nbformat.validate(raw)
    assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5)
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"
    ids = [cell["id"] for cell in raw["cells"]]
    assert len(set(ids)) == len(ids)
    grade_ids = [label["grade_id"] for label in labels(name)]
    assert len(set(grade_ids)) == len(grade_ids)
    assert {label["schema_version"] for label in labels(name)} == {3}
    for cell in raw["cells"]:
        assert not cell.get("outputs"), cell["id"]
        assert cell.get("execution_count") is None, cell["id"]
        assert not cell["metadata"].get("tags"), cell["id"]


@each
def test_g3_nbgraders_own_validator_accepts_the_metadata(name: str) -> None:
    from nbgrader.nbgraderformat import MetadataValidator

    MetadataValidator().validate_nb(notebook(name))


@each
def test_a_problem_set_states_its_goals_rules_and_points(name: str) -> None:
    head = notebook(name).cells[0].source
    assert head.startswith("# Problem set")
    for phrase in ("your instructor fills this in", "AI policy", "you can", "hand in"):
        assert re.search(phrase, head, flags=re.I), phrase
    table = [
        [part.strip() for part in line.split("|")[1:-1]] for line in head.splitlines() if line[:1] == "|"
    ]
    worth = [row[table[0].index("points")] for row in table[2:]]
    *tasks_points, total = [int(re.sub(r"\D.*", "", part.strip("*"))) for part in worth]
    assert sum(tasks_points) == total == points(name)
    assert "time" in table[0] or "about" in table[0]


@each
def test_all_have_the_same_form_and_number_their_tasks_as_in_their_table(name: str) -> None:
    markdown = [cell.source for cell in notebook(name).cells if cell.cell_type == "markdown"]
    head = markdown[0]
    assert re.fullmatch(rf"# Problem set {name[2]}: [a-z][a-z, ]+", head.splitlines()[0])
    parts = ("Afterwards you can", "| task | points | time | what you do |", "| **in all** |", "**Due:**")
    assert sorted(map(head.index, parts)) == [head.index(part) for part in parts]
    rows = re.findall(r"^\| (\d)\. `.*? \| (\d) \|", head, flags=re.M)
    form = r"^## Task (\d): [a-z].* \((\d) points?( each)?\)$"
    headings = re.findall(form, "\n".join(markdown), flags=re.M)
    assert [number for number, *_ in headings] == [number for number, _ in rows]
    assert [number for number, _ in rows] == [str(number) for number in range(1, len(rows) + 1)]
    for (_, worth), (_, stated, each) in zip(rows, headings):
        assert each or stated == worth


@each
def test_students_md_names_the_chapter_to_read_first(name: str) -> None:
    page = (ROOT / "assignments" / "students.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    chapters = re.findall(r"`(notebooks/\S+\.ipynb)`", row)
    assert chapters
    assert all((ROOT / chapter).is_file() for chapter in chapters)


@each
def test_the_instructors_page_states_the_same_points(name: str) -> None:
    page = (ROOT / "book" / "teach.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    assert float(row.split("|")[3]) == points(name)


@each
def test_a_graded_notebook_has_no_widget_magic_or_transformers(name: str) -> None:
    for cell in notebook(name).cells:
        if cell.cell_type == "code":
            assert not re.search(
                r"ipywidgets|explore\(|self_check|^[%!]|transformers", cell.source, flags=re.M
            )


@each
def test_no_task_depends_on_another(name: str) -> None:
    for task in tasks(name).values():
        assert check(task, task.solution) is None, task.name  # with every other answer missing


@each
def test_b7_the_solved_notebook_needs_little_time_and_memory(name: str, tmp_path: Path) -> None:
    from nbclient import NotebookClient

    solved = answered(name, solutions(name), "ada")
    measure = PEAK + "\nimport time as _time\nprint(_time.process_time())"
    solved.cells.append(nbformat.v4.new_code_cell(measure))
    for file in (SOURCE / name).iterdir():
        if file.suffix != ".ipynb":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(solved, timeout=LIMIT, kernel_name="python3", resources=where).execute()
    peak, processor = map(float, solved.cells[-1].outputs[0].text.split())
    assert peak < MEMORY
    assert processor < 2 * LIMIT  # of two cores


LOOPS = """
def walk(n, width, generator):
    a, end = math.sqrt(3 / n), torch.zeros(width)
    for i in range(width):
        for _ in range(n):
            end[i] += a * (2 * torch.rand(1, generator=generator).item() - 1)
    return end
"""


@pytest.mark.usefixtures("one_thread")
def test_a_walk_in_plain_loops_finishes_within_the_time_limit_of_a_cell() -> None:
    start = time.process_time()
    assert check(tasks("ps3-variance")["walk"], LOOPS) is None
    assert time.process_time() - start < 30


@each
def test_given_data_differ_between_students(name: str) -> None:
    assert len({given(name, student) for student in ("ada", "grace", "emmy", "alan")}) > 1
    assert given(name, "ada") == given(name, " ADA ")
    composed, decomposed = (unicodedata.normalize(form, "zoë") for form in ("NFC", "NFD"))
    assert given(name, composed) == given(name, decomposed)


def given(name: str, student: str) -> str:
    """Return the values that the notebook gives a student, except the seed."""
    *_, last = tasks(name).values()
    names: dict[str, Any] = {}
    with contextlib.chdir(SOURCE / name):
        for source in last.given:
            exec(STUDENT.sub(f"STUDENT_ID = {student!r}", source), names)
    plain = (int, float, str, tuple, list, dict)
    values = {key: value for key, value in names.items() if isinstance(value, plain) and key[0] != "_"}
    return repr({key: value for key, value in values.items() if key not in ("STUDENT_ID", "seed")})
