"""On a real hub with the configuration in deploy/, a class logs in at once, works, submits and is graded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts
from tests.deploy.hub import public_folder
from tests.deploy.hub_class import HubClass, Observations
from tests.deploy.prerequisites import missing
from tests.deploy.sample_problem_set import tiny_problem_set
from tests.small_books import ROOT

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

REAL = ROOT / "assignments" / "source" / "ps3-variance"


@pytest.fixture(
    scope="module", params=[3, pytest.param(20, marks=pytest.mark.slow)], ids="class of {}".format
)
def seen(request: pytest.FixtureRequest) -> Iterator[Observations]:
    """Run a class. HUB_PROBLEM_SET names the folder of another problem set."""
    count: int = request.param
    with tempfile.TemporaryDirectory(prefix="hub-") as name:
        folder = public_folder(Path(name))
        homes = public_folder(folder / "homes")
        named = os.environ.get("HUB_PROBLEM_SET")
        real = Path(named) if named else REAL if count > 3 and REAL.is_dir() else None
        with Accounts(homes) as accounts:
            # A large class imports torch, to use as much memory as a real one.
            tiny = tiny_problem_set(folder / "source", needs="gpt2_teach.model" if count > 3 else "math")
            hub_class = HubClass(folder, accounts, real or tiny, count)
            try:
                hub_class.teach()
            except BaseException as error:
                error.add_note(hub_class.hub.log())
                raise
            finally:
                hub_class.close()
            hub_class.record(ROOT / "_build" / "hub")
            yield hub_class.seen


def test_right_answers_run_without_an_error_and_unanswered_ones_do_not(seen: Observations) -> None:
    assert len(seen.cells) == len(seen.students)
    for student, errors in seen.cells.items():
        assert (errors == {}) == (student in seen.answered), (student, errors)


def test_everybodys_work_is_collected_and_gets_the_right_score(seen: Observations) -> None:
    assert sorted(seen.scores) == seen.students
    for student, (points, maximum) in seen.scores.items():
        assert maximum > 0
        assert points == (maximum if student in seen.answered else 0), student


def test_the_hub_can_be_restarted_while_people_work(seen: Observations) -> None:
    assert seen.while_hub_was_down == ["still here"] * len(seen.students)
    assert seen.servers_before == seen.servers_after


@pytest.mark.parametrize(
    "name",
    [
        "list another's home",
        "read another's notebook",
        "list the instructor's home",
        "list the inbound folder",
        "write into a released set",
        "rename the course",
        "another's environment",
    ],
)
def test_students_cannot_reach_files_of_others(seen: Observations, name: str) -> None:
    assert seen.attempts[name].startswith("PermissionError"), seen.attempts[name]


def test_the_exchange_does_not_show_who_submitted(seen: Observations) -> None:
    assert seen.attempts["find another's work in the exchange"] == ""


def test_a_kernel_cannot_be_reached_from_another_account(seen: Observations) -> None:
    assert seen.attempts["how a kernel is reached"] == "ipc"


def test_a_token_opens_only_its_owners_server(seen: Observations) -> None:
    assert seen.attempts["another's server"] in {"403", "404"}
    assert seen.attempts["another's account"] in {"403", "404"}
    assert seen.attempts["with no token"] == "403"


def test_only_staff_can_open_the_formgrader(seen: Observations) -> None:
    assert seen.attempts["formgrader, for a student"] == "404"
    assert seen.attempts["formgrader, for the instructor"] == "200"


def test_too_large_an_allocation_is_an_error_in_its_cell(seen: Observations) -> None:
    assert seen.attempts["more memory than allowed"].startswith("MemoryError")
    assert seen.attempts["own memory"] == "given"


def test_forged_submissions_are_not_collected(seen: Observations) -> None:
    assert seen.attempts["forge"] == "done"  # everybody can write to the folder
    assert seen.collected.count("Not collected: ") == 2
    assert "is owned by" in seen.collected
    assert "is a link" in seen.collected


def test_an_nbgitpuller_link_adds_new_files_and_keeps_a_students_edits(seen: Observations) -> None:
    assert seen.attempts["pull twice"].split() == ["first", "mine", "later"]
