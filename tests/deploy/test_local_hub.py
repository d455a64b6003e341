"""A real hub, with the configuration of deploy/: a class comes in at once, works, submits and is graded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.accounts import Accounts
from tests.deploy.hub import public_folder
from tests.deploy.lesson import Lesson, Seen
from tests.deploy.needs import missing
from tests.deploy.problem_set import tiny_problem_set
from tests.small_books import ROOT

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

REAL = ROOT / "assignments" / "source" / "ps3-variance"


@pytest.fixture(
    scope="module", params=[3, pytest.param(20, marks=pytest.mark.slow)], ids="class of {}".format
)
def seen(request: pytest.FixtureRequest) -> Iterator[Seen]:
    """What was seen in a class. HUB_PROBLEM_SET names the folder of another problem set."""
    count: int = request.param
    with tempfile.TemporaryDirectory(prefix="hub-") as name:
        folder = public_folder(Path(name))
        homes = public_folder(folder / "homes")
        named = os.environ.get("HUB_PROBLEM_SET")
        real = Path(named) if named else REAL if count > 3 and REAL.is_dir() else None
        with Accounts(homes) as accounts:
            # A large class computes with torch, so that its memory is that of a real one.
            tiny = tiny_problem_set(folder / "source", needs="gpt2_teach.model" if count > 3 else "math")
            lesson = Lesson(folder, accounts, real or tiny, count)
            try:
                lesson.teach()
            except BaseException as error:
                error.add_note(lesson.hub.log())
                raise
            finally:
                lesson.close()
            lesson.record(ROOT / "_build" / "hub")
            yield lesson.seen


def test_answers_that_are_right_run_without_an_error_and_untouched_ones_do_not(seen: Seen) -> None:
    assert len(seen.cells) == len(seen.students)
    for student, errors in seen.cells.items():
        assert (errors == {}) == (student in seen.answered), (student, errors)


def test_everybody_s_work_arrives_and_gets_the_score_that_it_deserves(seen: Seen) -> None:
    assert sorted(seen.scores) == seen.students
    for student, (reached, most) in seen.scores.items():
        assert most > 0
        assert reached == (most if student in seen.answered else 0), student


def test_the_hub_can_be_restarted_while_people_work(seen: Seen) -> None:
    assert seen.while_hub_was_down == ["still here"] * len(seen.students)
    assert seen.servers_before == seen.servers_after


@pytest.mark.parametrize(
    "what",
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
def test_nobody_reaches_what_is_another_s(seen: Seen, what: str) -> None:
    assert seen.probes[what].startswith("PermissionError"), seen.probes[what]


def test_the_exchange_does_not_show_who_submitted(seen: Seen) -> None:
    assert seen.probes["what of another's the exchange shows"] == ""


def test_a_kernel_cannot_be_reached_from_another_account(seen: Seen) -> None:
    assert seen.probes["how a kernel is reached"] == "ipc"


def test_a_token_opens_one_s_own_server_only(seen: Seen) -> None:
    assert seen.probes["another's server"] in {"403", "404"}
    assert seen.probes["another's account"] in {"403", "404"}
    assert seen.probes["with no token"] == "403"


def test_the_formgrader_is_the_staff_s(seen: Seen) -> None:
    assert seen.probes["formgrader, for a student"] == "404"
    assert seen.probes["formgrader, for the instructor"] == "200"


def test_too_large_a_tensor_is_an_error_in_its_cell(seen: Seen) -> None:
    assert seen.probes["more memory than allowed"].startswith("MemoryError")
    assert seen.probes["own memory"] == "given"


def test_forged_submissions_are_not_collected(seen: Seen) -> None:
    assert seen.probes["forge"] == "done"  # nothing keeps people from trying: the folder is open to all
    assert seen.collected.count("Not collected: ") == 2
    assert "is owned by" in seen.collected
    assert "is a link" in seen.collected


def test_a_link_of_nbgitpuller_brings_what_is_new_and_keeps_what_a_student_wrote(seen: Seen) -> None:
    assert seen.probes["pull twice"].split() == ["first", "mine", "later"]
