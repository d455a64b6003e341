"""A rebuilt submission has every cell of the release, however the submitted notebook was changed."""

from __future__ import annotations

import codecs
import copy
import json
from collections.abc import Callable
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
from tests.assignments.tasks import answered, cell, release

NAME = "ps3-variance"
TASK, TEST = "walk", "walk-test"
PICTURE = {"sketch.png": {"image/png": "iVBORw0KGgo="}}
HEAD = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}


@pytest.fixture
def released() -> Any:
    return release(NAME)


@pytest.fixture
def submission() -> Any:
    return answered(NAME, "ada")


def sources(notebook: Any) -> list[tuple[str, str]]:
    """Return the cells of the release, in order."""
    return [(grade_id(one), one.source) for one in notebook.cells if grade_id(one)]


def test_answers_are_kept_without_flags(submission: Any, released: Any) -> None:
    rebuilt, flags = rebuild(submission, released)
    assert (sources(rebuilt), flags) == (sources(submission), [])
    nbformat.validate(rebuilt)
    rebuilt, flags = rebuild(copy.deepcopy(released), released)  # untouched
    assert (sources(rebuilt), flags) == (sources(released), [])


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        (lambda cells, test: cells.remove(test), f"deleted and restored: {TEST}"),
        (lambda cells, test: test.update(source="pass"), f"edited and restored: {TEST}"),
        (lambda cells, test: test.update(cell_type="markdown"), f"edited and restored: {TEST}"),
        (lambda cells, test: cells.append(copy.deepcopy(test)), f"present 2 times: {TEST}"),
        (lambda cells, test: cells.insert(0, copy.deepcopy(test)), f"present 2 times: {TEST}"),
        (lambda cells, test: test.metadata.update(tags=["skip-execution"]), f"tagged skip-execution: {TEST}"),
        (
            lambda cells, test: cells.insert(0, cells.pop(cells.index(test))),
            "cells reordered, order restored",
        ),
        (lambda cells, test: test.metadata.nbgrader.update(points=1000, locked=False), None),
    ],
    ids="deleted edited markdown copied copied-to-the-top skipped moved points".split(),
)
def test_each_test_cell_is_restored_once_in_its_place(
    change: Callable[[Any, Any], None], flag: str | None, submission: Any, released: Any
) -> None:
    before = sources(submission)
    change(submission.cells, cell(submission, TEST))
    rebuilt, flags = rebuild(submission, released)
    assert flag in flags or flag is None
    assert sources(rebuilt) == before
    assert any(one.source.startswith('STUDENT_ID = "ada"') for one in rebuilt.cells[:3])
    restored, original = cell(rebuilt, TEST), cell(released, TEST)
    assert (restored.cell_type, restored.metadata) == (original.cell_type, original.metadata)
    nbformat.validate(rebuilt)


def test_the_last_of_two_answers_counts_and_a_students_own_cells_stay_in_place(
    submission: Any, released: Any
) -> None:
    first = cell(submission, TASK)
    second = copy.deepcopy(first)
    second.source += "\n# again"
    helper = nbformat.v4.new_code_cell("def helper(): return 1", metadata={"tags": ["x"]})
    at = submission.cells.index(first)
    submission.cells[at : at + 1] = [helper, first, second]
    rebuilt, flags = rebuild(submission, released)
    assert flags == [f"present 2 times: {TASK}"]
    assert cell(rebuilt, TASK).source == second.source
    every = [one.source for one in rebuilt.cells]
    places = [every.index(one.source) for one in (helper, first, second)]
    assert places == sorted(places)  # the first answer still runs, as in the kernel
    assert rebuilt.cells[places[0]].metadata == {}


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
        b"[]",
        json.dumps(HEAD | {"cells": [1]}).encode(),
        json.dumps(HEAD | {"cells": [{"cell_type": "raw", "source": 3}]}).encode(),
        b'{"nbformat": 99, "cells": []}',
    ],
)
def test_other_files_are_rejected_as_not_a_notebook(content: bytes) -> None:
    with pytest.raises(NotANotebookError, match="not a notebook"):
        read_notebook(content)


def test_old_formats_and_the_encodings_of_editors_are_read(submission: Any) -> None:
    text = nbformat.writes(submission)
    old = json.loads(text) | {"nbformat_minor": 2}
    for one in old["cells"]:
        del one["id"]
    files = [text.encode(encoding) for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le")]
    files += [json.dumps(old).encode(), codecs.BOM_UTF16_BE + text.encode("utf-16-be")]
    for content in files:
        assert len(read_notebook(content).cells) == len(submission.cells)


@pytest.mark.parametrize(
    ("attachments", "kept"),
    [
        (PICTURE, True),
        ({"huge.png": {"image/png": "A" * 8_000_001}}, False),
        ({"page.html": {"text/html": "PGI+"}}, False),
        ({"x.png": {"image/png": "<script>"}}, False),
        ({"x.png": ["image/png"]}, False),
        (["x.png"], False),
    ],
)
def test_only_pictures_pasted_into_a_written_answer_are_kept(attachments: Any, kept: bool) -> None:
    submission = answered("ps1-tying", "ada", explain="![](attachment:sketch.png)")
    cell(submission, "explain")["attachments"] = attachments
    rebuilt, flags = rebuild(submission, release("ps1-tying"))
    assert cell(rebuilt, "explain").get("attachments") == (attachments if kept else None)
    assert flags == ([] if kept else ["attachments removed, too large or not pictures: explain"])
    nbformat.validate(rebuilt)


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
    assert student_ids(release(NAME)) == [""]
