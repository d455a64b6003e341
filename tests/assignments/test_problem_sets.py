"""The problem sets are valid, quick, worth what they say, and different for each student."""

from __future__ import annotations

import contextlib
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from tests.assignments.tasks import PROBLEM_SETS, ROOT, SOURCE, STUDENT, answered, notebook, tasks
from tests.bench.notebook_memory import PEAK

each = pytest.mark.parametrize("name", PROBLEM_SETS)
MEMORY = 1e9  # bytes
LIMIT = 60  # seconds of processor time: the wall clock depends on what else the machine does


def labels(name: str) -> list[dict[str, Any]]:
    """Return nbgrader's metadata of the cells that have them."""
    return [cell.metadata["nbgrader"] for cell in notebook(name).cells if "nbgrader" in cell.metadata]


@each
def test_g3_source_validates_with_unique_ids_and_the_present_schema(name: str) -> None:
    text = (SOURCE / name / f"{name}.ipynb").read_text(encoding="utf-8")
    raw = json.loads(text)
    nbformat.validate(raw)
    MetadataValidator().validate_nb(notebook(name))
    assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5)
    assert text == nbformat.writes(nbformat.reads(text, as_version=4)) + "\n"
    assert {label["schema_version"] for label in labels(name)} == {3}
    for ids in ([cell["id"] for cell in raw["cells"]], [label["grade_id"] for label in labels(name)]):
        assert len(set(ids)) == len(ids)
    for cell in raw["cells"]:
        assert not any((cell.get("outputs"), cell.get("execution_count"), cell["metadata"].get("tags")))
        forbidden = r"ipywidgets|explore\(|self_check|^[%!]|transformers"  # what a grader's kernel cannot run
        assert cell["cell_type"] != "code" or not re.search(forbidden, "".join(cell["source"]), flags=re.M)


@each
def test_a_problem_set_states_its_goals_rules_and_points_as_other_pages_do(name: str) -> None:
    head, *markdown = [cell.source for cell in notebook(name).cells if cell.cell_type == "markdown"]
    assert re.match(rf"# Problem set {name[2]}: [a-z][a-z, ]+\n", head)
    columns = "| task | points | time | what you do |"
    assert [one for one in ("Afterwards you can", columns, "**Due:**", "AI policy") if one not in head] == []
    rows = re.findall(r"^\| (\d)\. `.*? \| (\d) \|", head, flags=re.M)
    heading = r"^## Task (\d): [a-z].* \((\d) points?( each)?\)$"
    headings = re.findall(heading, "\n".join(markdown), flags=re.M)
    assert [number for number, *_ in headings] == [number for number, _ in rows]
    assert all(each or stated == worth for (_, worth), (_, stated, each) in zip(rows, headings))
    points = sum(label.get("points", 0) for label in labels(name) if label["grade"])
    assert sum(int(worth) for _, worth in rows) == points
    pages = [ROOT / "assignments" / "students.md", ROOT / "book" / "teach.md"]
    row = rf"^\| `{name}` \|.*"
    (reading,), (teaching,) = (
        re.findall(row, page.read_text(encoding="utf-8"), flags=re.M) for page in pages
    )
    chapters = re.findall(r"`(notebooks/\S+\.ipynb)`", reading)
    assert chapters
    assert all((ROOT / chapter).is_file() for chapter in chapters)
    assert float(teaching.split("|")[3]) == points


@each
def test_b7_the_solved_notebook_needs_little_time_and_memory(name: str, tmp_path: Path) -> None:
    from nbclient import NotebookClient

    solved = answered(name, "ada")
    measure = PEAK + "\nimport time as _time\nprint(_time.process_time())"
    solved.cells.append(nbformat.v4.new_code_cell(measure))
    for file in (SOURCE / name).glob("*.npz"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(solved, timeout=LIMIT, kernel_name="python3", resources=where).execute()
    peak, processor = map(float, solved.cells[-1].outputs[0].text.split())
    assert peak < MEMORY
    assert processor < 2 * LIMIT  # of two cores


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


@each
def test_given_data_differ_between_students_and_not_between_spellings_of_an_id(name: str) -> None:
    assert len({given(name, student) for student in ("ada", "grace", "emmy", "alan")}) > 1
    assert given(name, "ada") == given(name, " ADA ")
    composed, decomposed = (unicodedata.normalize(form, "zoë") for form in ("NFC", "NFD"))
    assert given(name, composed) == given(name, decomposed)
