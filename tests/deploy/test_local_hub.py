"""On a real hub with the configuration in deploy/, a class logs in at once, works, submits and is graded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts, missing, public_folder
from tests.deploy.hub_class import HubClass, tiny_problem_set
from tests.small_books import ROOT

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

REAL = ROOT / "assignments" / "source" / "ps3-variance"


@pytest.fixture(
    scope="module", params=[3, pytest.param(20, marks=pytest.mark.slow)], ids="class of {}".format
)
def seen(request: pytest.FixtureRequest) -> Iterator[HubClass]:
    """Run a class. HUB_PROBLEM_SET names the folder of another problem set."""
    count: int = request.param
    with tempfile.TemporaryDirectory(prefix="hub-") as name:
        folder = public_folder(Path(name))
        named = os.environ.get("HUB_PROBLEM_SET")
        # A large class imports torch, to use as much memory as a real one.
        problem_set = (
            Path(named) if named else REAL if count > 3 else tiny_problem_set(folder / "source", "math")
        )
        with Accounts(public_folder(folder / "homes")) as accounts:
            hub_class = HubClass(folder, accounts, problem_set, count)
            try:
                hub_class.teach()
            except BaseException as error:
                error.add_note(hub_class.hub.log())
                raise
            finally:
                hub_class.close()
            hub_class.record(ROOT / "_build" / "hub")
            yield hub_class


def test_right_answers_run_are_collected_and_get_their_points(seen: HubClass) -> None:
    assert sorted(seen.scores) == sorted(seen.errors) == [student.name for student in seen.students]
    for student in seen.students:
        right = bool(seen.answers_of(student))
        points, maximum = seen.scores[student.name]
        assert maximum > 0
        assert points == (maximum if right else 0), student.name
        assert (seen.errors[student.name] == []) == right, seen.errors[student.name]


def test_the_hub_can_be_restarted_while_people_work(seen: HubClass) -> None:
    before, during, after = seen.servers
    assert before == during == after
    assert len(before) == seen.count


def test_students_cannot_reach_what_is_others(seen: HubClass) -> None:
    for name in (
        "list another's home",
        "read another's notebook",
        "list the instructor's home",
        "list the inbound folder",
        "write into a released set",
        "rename the course",
        "another's environment",
    ):
        assert seen.attempts[name].startswith("PermissionError"), (name, seen.attempts[name])
    assert seen.attempts["find another's work"] == ""
    assert seen.attempts["how a kernel is reached"] == "ipc"
    assert seen.attempts["another's server"] in {"403", "404"}
    assert seen.attempts["another's account"] in {"403", "404"}
    assert seen.attempts["with no token"] == "403"
    assert seen.attempts["formgrader, for a student"] == "404"
    assert seen.attempts["formgrader, for the instructor"] == "200"


def test_too_large_an_allocation_is_an_error_in_its_cell(seen: HubClass) -> None:
    assert seen.attempts["more memory than allowed"].startswith("MemoryError")
    assert seen.attempts["own memory"] == "given"


def test_forged_submissions_are_not_collected(seen: HubClass) -> None:
    assert seen.attempts["forge"] == "done"  # everybody can write to the folder
    assert seen.collected.count("Not collected: ") == 2
    assert "is owned by" in seen.collected
    assert "is a link" in seen.collected


def test_an_nbgitpuller_link_adds_new_files_and_keeps_a_students_edits(seen: HubClass) -> None:
    assert seen.attempts["pull twice"].split() == ["first", "mine", "later"]
