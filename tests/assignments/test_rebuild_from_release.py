"""A rebuilt submission has every cell of the release, however the submitted notebook was changed."""

from __future__ import annotations

import codecs
import copy
import json
from typing import Any

import nbformat
import pytest

from assignments.course.rebuild_from_release import (
    NotANotebookError,
    grade_id,
    read_notebook,
    rebuild,
    student_ids,
)
from tests.assignments.student_notebooks import answered, cell, release, solutions

NAME = "ps3-variance"
TASK, OTHER = "walk", "law"


@pytest.fixture
def released() -> Any:
    return release(NAME)


@pytest.fixture
def submission() -> Any:
    return answered(NAME, solutions(NAME), "ada")


def released_cells(notebook: Any) -> list[tuple[str, str]]:
    return [(grade_id(one), one.source) for one in notebook.cells if grade_id(one)]


def test_answers_are_kept_without_flags(submission: Any, released: Any) -> None:
    rebuilt, flags = rebuild(submission, released)
    assert flags == []
    assert released_cells(rebuilt) == released_cells(submission)
    nbformat.validate(rebuilt)


def test_an_untouched_notebook_is_the_released_one(released: Any) -> None:
    rebuilt, flags = rebuild(copy.deepcopy(released), released)
    assert (released_cells(rebuilt), flags) == (released_cells(released), [])


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        ("delete", f"deleted and restored: {TASK}-test"),
        ("edit", f"edited and restored: {TASK}-test"),
        ("markdown", f"edited and restored: {TASK}-test"),
        ("copy", f"present 2 times: {TASK}-test"),
        ("copy to the top", f"present 2 times: {TASK}-test"),
        ("skip", f"tagged skip-execution: {TASK}-test"),
        ("move", "cells reordered, order restored"),
    ],
)
def test_each_test_cell_is_restored_once_in_its_place(
    change: str, flag: str, submission: Any, released: Any
) -> None:
    before = released_cells(submission)
    test = cell(submission, f"{TASK}-test")
    if change == "delete":
        submission.cells.remove(test)
    elif change == "edit":
        test.source = "pass"
    elif change == "markdown":
        test.cell_type = "markdown"
    elif change == "copy":
        submission.cells.append(copy.deepcopy(test))
    elif change == "copy to the top":
        submission.cells.insert(0, copy.deepcopy(test))
    elif change == "skip":
        test.metadata["tags"] = ["skip-execution"]
    else:
        submission.cells.remove(test)
        submission.cells.insert(0, test)
    rebuilt, flags = rebuild(submission, released)
    assert flag in flags
    assert released_cells(rebuilt) == before
    sources = [one.source for one in rebuilt.cells]
    assert (
        sources.index('STUDENT_ID = "ada"  # your id, as your instructor knows you, between the quotes') < 3
    )
    again = cell(rebuilt, f"{TASK}-test")
    assert again.cell_type == "code"
    assert "tags" not in again.metadata
    nbformat.validate(rebuilt)


def test_points_and_locks_come_from_the_release(submission: Any, released: Any) -> None:
    test = cell(submission, f"{TASK}-test")
    test.metadata["nbgrader"] |= {"points": 1000, "locked": False, "schema_version": 1}
    rebuilt, _ = rebuild(submission, released)
    assert cell(rebuilt, f"{TASK}-test").metadata == cell(released, f"{TASK}-test").metadata


def test_the_last_of_two_answers_counts_and_the_first_still_runs(submission: Any, released: Any) -> None:
    first = cell(submission, TASK)
    second = copy.deepcopy(first)
    second.source += "\n# again"
    submission.cells.insert(submission.cells.index(first) + 1, second)
    rebuilt, flags = rebuild(submission, released)
    assert flags == [f"present 2 times: {TASK}"]
    assert cell(rebuilt, TASK).source == second.source
    sources = [one.source for one in rebuilt.cells]
    assert sources.index(first.source) < sources.index(second.source)


def test_a_students_helper_stays_before_the_answer_that_needs_it(submission: Any, released: Any) -> None:
    helper = nbformat.v4.new_code_cell("def helper(): return 1", metadata={"tags": ["x"]})
    submission.cells.insert(submission.cells.index(cell(submission, TASK)), helper)
    rebuilt, flags = rebuild(submission, released)
    sources = [one.source for one in rebuilt.cells]
    assert sources.index(helper.source) < sources.index(cell(rebuilt, TASK).source)
    assert flags == []
    assert rebuilt.cells[sources.index(helper.source)].metadata == {}


def test_a_deleted_answer_is_an_unanswered_task(submission: Any, released: Any) -> None:
    submission.cells.remove(cell(submission, TASK))
    rebuilt, flags = rebuild(submission, released)
    assert flags == [f"deleted and restored: {TASK}"]
    assert cell(rebuilt, TASK).source == cell(released, TASK).source


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"%PDF-1.7",
        b"\xff\xfe\x00",
        b"{}",
        b"[]",
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}',
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "raw", "source": 3}]}',
        b'{"nbformat": 99, "cells": []}',
    ],
)
def test_other_files_are_rejected_as_not_a_notebook(content: bytes) -> None:
    with pytest.raises(NotANotebookError, match="not a notebook"):
        read_notebook(content)


def test_an_old_format_is_read(submission: Any) -> None:
    old = json.loads(nbformat.writes(submission))
    old["nbformat_minor"] = 2
    for one in old["cells"]:
        del one["id"]
    assert len(read_notebook(json.dumps(old).encode()).cells) == len(submission.cells)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_a_notebook_that_an_editor_saved_in_its_own_encoding_is_read(encoding: str, submission: Any) -> None:
    text = nbformat.writes(submission)
    assert len(read_notebook(text.encode(encoding)).cells) == len(submission.cells)
    assert len(read_notebook(codecs.BOM_UTF16_BE + text.encode("utf-16-be")).cells) == len(submission.cells)


PICTURE = {"sketch.png": {"image/png": "iVBORw0KGgo="}}


def test_pictures_pasted_into_a_written_answer_are_kept() -> None:
    answer = {"explain": "![](attachment:sketch.png)"}
    released, submission = release("ps1-tying"), answered("ps1-tying", answer, "ada")
    cell(submission, "explain")["attachments"] = PICTURE
    rebuilt, flags = rebuild(submission, released)
    assert cell(rebuilt, "explain").attachments == PICTURE
    assert flags == []
    nbformat.validate(rebuilt)


@pytest.mark.parametrize(
    "attachments",
    [
        {"huge.png": {"image/png": "A" * 8_000_001}},
        {"page.html": {"text/html": "PGI+"}},
        {"x.png": {"image/png": "<script>"}},
        {"x.png": ["image/png"]},
        ["x.png"],
    ],
)
def test_other_and_huge_attachments_are_removed_with_a_flag(attachments: Any) -> None:
    released, submission = release("ps1-tying"), answered("ps1-tying", {"explain": "See there."}, "ada")
    cell(submission, "explain")["attachments"] = attachments
    rebuilt, flags = rebuild(submission, released)
    assert "attachments" not in cell(rebuilt, "explain")
    assert flags == ["attachments removed, too large or not pictures: explain"]


def test_the_student_id_is_read_from_any_cell(submission: Any, released: Any) -> None:
    assert student_ids(submission) == ["ada"]
    assert student_ids(released) == [""]
    submission.cells = [one for one in submission.cells if "STUDENT_ID" not in one.source]
    assert student_ids(submission) == []


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("STUDENT_ID = 'grace'", ["grace", "ada"]),
        ("if True:\n    other = STUDENT_ID = 'grace'", ["grace", "ada"]),
        ("STUDENT_ID: str = 'grace'", ["grace", "ada"]),
        ("print(STUDENT_ID := 'gr' + 'ace')", ["'gr' + 'ace'", "ada"]),
        ("STUDENT_ID, x = 'grace', 1", ["('grace', 1)", "ada"]),
        ("STUDENT_ID = 'ada'", ["ada"]),
        ("print(STUDENT_ID)", ["ada"]),
    ],
)
def test_every_id_that_a_notebook_sets_is_found(line: str, ids: list[str], submission: Any) -> None:
    submission.cells.append(nbformat.v4.new_code_cell(line))
    assert student_ids(submission) == ids
