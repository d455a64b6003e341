"""`make grade` runs real nbgrader on a class of submissions, from a folder to grades.csv.

One run has every kind of faulty notebook, one for each student, and none may affect the others.
"""

from __future__ import annotations

import ast
import copy
import csv
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest

from assignments.course.grade import main
from assignments.course.grade_submission import id_matches
from assignments.course.gradebook import open_gradebook, record_zero, scores
from assignments.course.register_problem_set import register
from tests.assignments.student_notebooks import answered, cell, solutions
from tests.assignments.tasks import HIDDEN, tasks
from tests.small_books import ROOT, Book, environment

NAME = "ps3-variance"
FIRST, SECOND, THIRD, *_ = tasks(NAME)
POINTS = {task.name: task.points for task in tasks(NAME).values()}
FULL = sum(POINTS.values())
SECONDS = 20  # time limit of a cell: the solutions need 1, and importing torch more on a busy machine


@dataclass(frozen=True)
class Student:
    """A student's notebook, with the tasks and flags that `make grade` must report."""

    change: Callable[[Any], None]  # to a notebook with all solutions
    lost: tuple[str, ...] = ()  # tasks
    flags: tuple[str, ...] = ()


def _answers(**sources: str) -> Callable[[Any], None]:
    def change(notebook: Any) -> None:
        for task, source in sources.items():
            cell(notebook, task).source = source

    return change


def _untouched(notebook: Any) -> None:
    for task in tasks(NAME).values():
        cell(notebook, task.name).source = task.released


def _disable_tests(notebook: Any) -> None:
    """Disable three tests in different ways, and leave their tasks unanswered."""
    notebook.cells.remove(cell(notebook, f"{FIRST}-test"))
    cell(notebook, f"{SECOND}-test").source = "pass"
    cell(notebook, f"{THIRD}-test").metadata["tags"] = ["skip-execution"]
    for task in (FIRST, SECOND, THIRD):
        cell(notebook, task).source = tasks(NAME)[task].released


def _copy_test(notebook: Any) -> None:
    notebook.cells.insert(0, copy.deepcopy(cell(notebook, f"{FIRST}-test")))


def _other_id(notebook: Any) -> None:
    for one in notebook.cells:
        one.source = one.source.replace('STUDENT_ID = "other"', 'STUDENT_ID = "Grace"')


def _print_history(notebook: Any) -> None:
    notebook.cells.append(nbformat.v4.new_code_cell("print(In)\nfor line in In: print(line)"))
    cell(notebook, FIRST).source = tasks(NAME)[FIRST].released


def _print_solutions(notebook: Any) -> None:
    source = ROOT / "assignments" / "source" / NAME / f"{NAME}.ipynb"
    reads = f"text = open({str(source)!r}).read()[::-1]"  # backwards, as a disguise
    cell(notebook, FIRST).source = f"{reads}\nprint(text)\ntext"
    cell(notebook, SECOND).source = f"{reads}\n{SECOND} = text"  # the message of the test quotes it
    for failing in ("raise Exception(text)", "raise type(text.replace(chr(0), ''), (Exception,), {})"):
        notebook.cells.append(nbformat.v4.new_code_cell(failing))


def _print_environment(notebook: Any) -> None:
    reads = "import os, sys\nprint(repr([*sys.path, *sys.argv, os.getcwd(), *os.environ.values()]))"
    notebook.cells.append(nbformat.v4.new_code_cell(reads))


def _odd_metadata(notebook: Any) -> None:
    cell(notebook, f"{FIRST}-test").metadata["tags"] = None
    notebook.cells.append(nbformat.v4.new_code_cell("'half a character: \ud83d'"))


def _change_id_later(notebook: Any) -> None:
    notebook.cells.insert(3, nbformat.v4.new_code_cell('globals()["STUDENT_ID"] = "grace"'))


def _disable_cells(notebook: Any) -> None:
    switch = "get_ipython().input_transformers_cleanup.append(lambda lines: [])"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(switch))


def _shadow_builtins(notebook: Any) -> None:
    # not `list`: the given first line of an answer would fail, which a student would notice
    names = "sum = id = abs = str = tuple = type = map = any = 0"
    notebook.cells.append(nbformat.v4.new_code_cell(names))
    for task in list(POINTS)[:2]:  # after the answer, before its test
        position = notebook.cells.index(cell(notebook, f"{task}-test"))
        notebook.cells.insert(position, nbformat.v4.new_code_cell(f"{names}\ntorch.set_grad_enabled(False)"))


def _print_too_much(notebook: Any) -> None:
    source = "print('word ' * 2_000_000)\nraise ValueError('word ' * 2_000_000)"
    notebook.cells.append(nbformat.v4.new_code_cell(source))


FORK = """import os, sys, time
if (child := os.fork()) == 0:
    os.setsid()
    time.sleep(3000)
    os._exit(0)
print(child)"""
PIP = """import subprocess, sys
print(subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, text=True).stderr)"""


def _fork_and_run_pip(notebook: Any) -> None:
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in (FORK, PIP)]


def _two_ids(notebook: Any) -> None:
    notebook.cells.insert(1, nbformat.v4.new_code_cell('STUDENT_ID = "grace"'))


CLASS = {
    "perfect": Student(lambda notebook: None),
    "untouched": Student(_untouched, tuple(POINTS)),
    "partly": Student(_answers(**{FIRST: tasks(NAME)[FIRST].released}), (FIRST,)),
    "half": Student(_answers(**{SECOND: "raise ValueError('given up')"}), (SECOND,)),
    "stuck": Student(
        _answers(
            **{
                FIRST: "def walk(n, width generator):",
                SECOND: "while True: pass",
                THIRD: "kept = [bytearray(200_000_000) for _ in range(10_000)]",
            }
        ),
        (FIRST, SECOND, THIRD),
        (f"syntax error: {FIRST}", f"ran out of time: {SECOND}", f"ran out of memory: {THIRD}"),
    ),
    "leaves": Student(
        _answers(**{FIRST: f"def {FIRST}(*_): raise SystemExit", SECOND: "exit()", THIRD: "quit"}),
        (FIRST, SECOND, THIRD),
    ),
    "dead": Student(_answers(**{FIRST: "import os; os._exit(0)"}), tuple(POINTS), ("the kernel died",)),
    "touch": Student(
        _disable_tests,
        (FIRST, SECOND, THIRD),
        (
            f"deleted and restored: {FIRST}-test",
            f"edited and restored: {SECOND}-test",
            f"tagged skip-execution: {THIRD}-test",
        ),
    ),
    "twice": Student(_copy_test, (), (f"present 2 times: {FIRST}-test",)),
    "other": Student(_other_id, (), ("STUDENT_ID is 'Grace'",)),
    "two": Student(_two_ids, (), ("STUDENT_ID is also grace",)),
    "later": Student(_change_id_later, ("law",), ("STUDENT_ID is 'grace' at the end",)),
    "off": Student(_disable_cells, (), ("the kernel skipped the last cell",)),
    "shadow": Student(_shadow_builtins),
    "odd": Student(_odd_metadata),
    "babble": Student(_print_too_much),
    "fork": Student(_fork_and_run_pip),
    "asks": Student(_print_environment),
    "spy": Student(_print_solutions, (FIRST, SECOND)),
    "peek": Student(_print_history, (FIRST,)),
}


SLOW_STUDENTS = {"half", "other", "two", "later", "odd", "babble", "fork", "asks", "peek"}
SLOW = [pytest.mark.slow]
each = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=SLOW * (name in SLOW_STUDENTS)) for name in CLASS]
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Grade the class and four students without a notebook; those in `SLOW_STUDENTS` only for slow tests."""
    root = tmp_path_factory.mktemp("class")
    submissions, course = root / "handed in", root / "course"
    all_of_them = any("slow" in item.keywords and item.path == request.path for item in request.session.items)
    for name, student in CLASS.items():
        if name in SLOW_STUDENTS and not all_of_them:
            continue
        notebook = answered(NAME, solutions(NAME), name)
        student.change(notebook)
        (submissions / name).mkdir(parents=True)
        # Not by nbformat, which would repair it; escaped, because a file cannot have a lone surrogate.
        text = json.dumps(notebook)
        (submissions / name / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    for name, file in (("pdf", f"{NAME}.pdf"), ("broken", f"{NAME}.ipynb"), ("lost", "homework.ipynb")):
        (submissions / name).mkdir()
        (submissions / name / file).write_text("%PDF-1.7", encoding="utf-8")
    (submissions / "nothing").mkdir()
    arguments = f"SUBMISSIONS={submissions}", f"COURSE={course}"
    graded = Book(ROOT).make("grade", *arguments, f"PS={NAME}", f"ARGS=--cell-seconds={SECONDS}")
    assert graded.returncode == 0, graded.stdout[-5000:] + graded.stderr[-5000:]
    assert "lost/homework.ipynb" in graded.stdout
    assert "ungraded written answers" not in graded.stdout  # this problem set has none
    return course


@pytest.fixture(scope="module")
def rows(course: Path) -> dict[str, dict[str, str]]:
    """Return the rows of grades.csv by student."""
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


@each
def test_everybody_has_the_expected_points_and_flags(name: str, rows: dict[str, dict[str, str]]) -> None:
    student, row = CLASS[name], rows[name]
    assert {task: float(row[task]) for task in POINTS} == {
        task: 0 if task in student.lost else points for task, points in POINTS.items()
    }, row
    assert float(row["score"]) == sum(points for task, points in POINTS.items() if task not in student.lost)
    assert float(row["max_score"]) == FULL
    assert row["assignment"] == NAME  # the other problem sets have no submission and so no rows
    for flag in student.flags:
        assert flag in row["flags"]
    assert student.flags or row["flags"] == ""


@pytest.mark.parametrize("name", ["pdf", "broken"])
def test_other_files_have_zero_points_and_a_flag(name: str, rows: dict[str, dict[str, str]]) -> None:
    assert float(rows[name]["score"]) == 0
    assert "not a notebook" in rows[name]["flags"]


@each
def test_g1_feedback_shows_no_hidden_test(name: str, course: Path) -> None:
    page = course / "feedback" / name / NAME / f"{NAME}.html"
    if name == "dead":
        assert not page.exists()
        return
    text = page.read_text(encoding="utf-8")
    assert "HIDDEN TESTS" not in text
    shown = _text_of(text)
    for task in tasks(NAME).values():
        (hidden,) = HIDDEN.findall(task.checks)
        for line in hidden.splitlines()[1:-1]:
            if len(line.strip()) > 24 and not line.strip().startswith(("assert", "#")):
                assert line.strip() not in shown, line


def test_feedback_shows_the_message_of_a_failed_test(course: Path) -> None:
    text = (course / "feedback" / "partly" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "NotImplementedError" in text


def test_g1_feedback_does_not_show_solutions_that_code_read(course: Path) -> None:
    page = course / "feedback" / "spy" / NAME / f"{NAME}.html"
    shown = _text_of(page.read_text(encoding="utf-8"))
    assert f"{SECOND} must be a number, got" in shown  # the message of the test, cut short
    found = [line for line in tasks(NAME)[FIRST].solution.splitlines() if line[::-1].strip() in shown]
    assert found == []
    assert max(map(len, shown[shown.index("must be a number, got") :].splitlines()[:1])) < 300


@pytest.mark.slow
def test_g1_no_variable_or_path_leads_to_the_solutions(course: Path) -> None:
    graded = nbformat.read(course / "autograded" / "asks" / NAME / f"{NAME}.ipynb", as_version=4)
    given = ast.literal_eval(graded.cells[-2].outputs[0].text)
    assert any(path.endswith("package") for path in given)
    installed = [sys.prefix, str(Path(sys.executable).parent)]  # Python itself knows this path
    outside = [one for one in given if not any(part in one for part in installed)]
    assert not [one for one in outside if str(ROOT) in one or str(course) in one]


@pytest.mark.slow
def test_processes_of_a_notebook_are_killed_and_pip_is_disabled(course: Path) -> None:
    graded = nbformat.read(course / "autograded" / "fork" / NAME / f"{NAME}.ipynb", as_version=4)
    forked, pip = (one.outputs[0].text for one in graded.cells[-3:-1])
    assert not psutil.pid_exists(int(forked))
    assert "packages cannot be installed or removed" in pip


@pytest.mark.slow
def test_huge_outputs_are_shortened(course: Path) -> None:
    path = course / "autograded" / "babble" / NAME / f"{NAME}.ipynb"
    assert path.stat().st_size < 500_000  # its outputs were more than 20 MB
    printed, error = nbformat.read(path, as_version=4).cells[-2].outputs
    assert "9,980,001 characters left out" in printed.text
    assert "characters left out" in error.evalue


def test_an_empty_folder_has_zero_points_and_a_flag(rows: dict[str, dict[str, str]]) -> None:
    assert float(rows["nothing"]["score"]) == 0
    assert rows["nothing"]["flags"] == "the submission is empty"


def test_grading_again_changes_nothing_and_keeps_manual_points(
    course: Path, rows: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    again = tmp_path / "course"
    shutil.copytree(course, again)
    with open_gradebook(again) as book:
        grade = book.find_grade(f"{FIRST}-test", NAME, NAME, "partly")
        grade.manual_score = 0.5
        book.db.commit()
    one = tmp_path / "one"
    shutil.copytree(course / "received" / "partly", one / "partly")
    times = []
    for _ in range(2):  # with another limit, which runs it again; then with the same
        graded = Book(ROOT).make("grade", f"SUBMISSIONS={one}", f"COURSE={again}", f"PS={NAME}")
        assert graded.returncode == 0, graded.stderr
        times.append((again / "autograded" / "partly" / NAME / f"{NAME}.ipynb").stat().st_mtime_ns)
    assert times[0] == times[1] != (course / "autograded/partly" / NAME / f"{NAME}.ipynb").stat().st_mtime_ns
    with (again / "grades.csv").open(encoding="utf-8", newline="") as file:
        found = {row["student_id"]: row for row in csv.DictReader(file)}
    assert float(found["partly"]["score"]) == float(rows["partly"]["score"]) + 0.5
    assert {name: row for name, row in found.items() if name != "partly"} == {
        name: row for name, row in rows.items() if name != "partly"
    }


def test_manual_grades_update_feedback_and_ungraded_answers_are_counted(course: Path, tmp_path: Path) -> None:
    again = tmp_path / "course"
    shutil.copytree(course, again)
    with open_gradebook(again) as book:
        for student in ("perfect", "partly"):
            book.find_grade(f"{FIRST}-test", NAME, NAME, student).needs_manual_grade = True
        book.find_comment(FIRST, NAME, NAME, "perfect").manual_comment = "a walk to be proud of"
        book.db.commit()
    one = tmp_path / "one"
    shutil.copytree(course / "received" / "perfect", one / "perfect")  # nothing is new, so nothing is run
    limit = f"ARGS=--cell-seconds={SECONDS}"
    graded = Book(ROOT).make("grade", f"SUBMISSIONS={one}", f"COURSE={again}", f"PS={NAME}", limit)
    assert "ungraded written answers: 2; run make formgrader" in graded.stdout
    pages = {path.parts[-3]: path for path in (again / "feedback").glob("*/*/*.html")}
    assert "a walk to be proud of" in _text_of(pages["perfect"].read_text(encoding="utf-8"))
    old = {path.parts[-3]: path.read_bytes() for path in (course / "feedback").glob("*/*/*.html")}
    assert [name for name, page in pages.items() if page.read_bytes() != old[name]] == ["perfect"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{course}"], "must not contain each other"),
        (["{course}/submitted"], "must not contain each other"),
        (["{course}/.."], "must not contain each other"),
        (["nowhere"], "SUBMISSIONS must be a folder"),
        (["tests", "--ps=ps9"], "unknown problem set 'ps9'; choose from ps1-tying"),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], message: str, tmp_path: Path, refuse: Callable[..., str]
) -> None:
    course = tmp_path / "course"
    assert message in refuse(*(one.format(course=course) for one in arguments), f"--course={course}")
    assert not course.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "make grade SUBMISSIONS="),
        (['SUBMISSIONS=a"b$c'], 'must be a folder; a"b$c is not one'),
        (["SUBMISSIONS=-x"], "must be a folder; -x is not one"),
    ],
)
def test_make_refuses_wrong_arguments(arguments: list[str], message: str) -> None:
    refused = Book(ROOT).make("grade", *arguments)
    assert refused.returncode != 0
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("limit", ["--seconds=0", "--gigabytes=-1", "--cell-seconds=nan"])
def test_a_limit_below_one_is_refused(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["tests", limit])
    name, _, value = limit.partition("=")
    assert f"{name}: must be a whole number of at least 1, got {value}" in capsys.readouterr().err


@pytest.fixture
def refuse(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that gives the message for refused arguments, without starting make."""

    def refused(*arguments: str) -> str:
        monkeypatch.setattr(signal, "signal", lambda *_: None)  # keep pytest's handlers
        assert main(list(arguments)) == 2
        return capsys.readouterr().err

    return refused


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_course_that_cannot_be_a_folder_is_refused(
    place: str, tmp_path: Path, refuse: Callable[..., str]
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "handed in" / "ada").mkdir(parents=True)
    (tmp_path / "handed in" / "ada" / f"{NAME}.ipynb").write_text("")
    message = refuse(str(tmp_path / "handed in"), f"--course={tmp_path / place}")
    assert f"COURSE: {tmp_path / place} cannot be used as a folder" in message


def test_only_one_make_grade_uses_a_course(tmp_path: Path, refuse: Callable[..., str]) -> None:
    (tmp_path / "handed in" / "ada").mkdir(parents=True)
    (tmp_path / "handed in" / "ada" / f"{NAME}.ipynb").write_text("")
    course = tmp_path / "course"
    course.mkdir()
    with (course / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        message = refuse(str(tmp_path / "handed in"), f"--course={course}")
    assert f"another make grade is using {course}" in message
    assert [path.name for path in course.iterdir()] == [".lock"]


def test_a_course_without_its_gradebook_is_graded_again(
    course: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    again, one = tmp_path / "course", tmp_path / "one"
    shutil.copytree(course, again)
    shutil.copytree(course / "received" / "perfect", one / "perfect")
    (again / "gradebook.db").unlink()
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    arguments = [str(one), f"--course={again}", f"--ps={NAME}", f"--cell-seconds={SECONDS}"]
    assert main(arguments) == 0
    assert scores(again, NAME, "perfect") == (FULL, FULL)

    def broken(*_: object) -> list[str]:
        raise OSError("the disk is full")

    monkeypatch.setattr("assignments.course.grade.grade", broken)
    assert main(arguments) == 0
    assert "the disk is full" in capsys.readouterr().out
    assert scores(again, NAME, "perfect") == (FULL, FULL)  # not the student's fault


def test_a_problem_set_that_cannot_be_registered_leaves_the_course_unchanged(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = tmp_path / "course"
    shutil.copytree(course, again)
    (again / "known" / f"{NAME}.ipynb").write_bytes(b"of another source")

    def run_nbgrader(*arguments: str, course: Path) -> subprocess.CompletedProcess[str]:
        shutil.rmtree(course / "release" / NAME)  # as nbgrader does before it notices
        return subprocess.CompletedProcess(arguments, 1, "RuntimeError: Cannot add or remove cells for it")

    monkeypatch.setattr("assignments.course.register_problem_set.run_nbgrader", run_nbgrader)
    with pytest.raises(ValueError, match=f"{NAME} has gained or lost a task .* name another COURSE"):
        register(again, NAME)
    assert (again / "release" / NAME / f"{NAME}.ipynb").exists()


@pytest.mark.parametrize("typed_id", ["o'hara@x.edu", "o-hara@x.edu", " O-hara@x.edu "])
def test_a_typed_id_matches_its_folder_name(typed_id: str) -> None:
    assert id_matches(typed_id, "o-hara@x.edu")
    assert not id_matches(typed_id, "ohara@x.edu")


def test_nbgrader_run_by_hand_uses_the_course_of_its_folder(course: Path) -> None:
    command = [sys.executable, "-m", "nbgrader", "db", "student", "list"]
    listed = subprocess.run(
        command, cwd=course, env=environment(), capture_output=True, text=True, check=True
    )
    assert "perfect" in listed.stdout + listed.stderr


def test_recording_zero_removes_manual_points_without_a_warning(
    course: Path, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    again = tmp_path / "course"
    shutil.copytree(course, again)
    with open_gradebook(again) as book:
        book.find_grade(f"{FIRST}-test", NAME, NAME, "partly").manual_score = 0.5
        book.db.commit()
    for student in ("partly", "somebody new"):
        record_zero(again, NAME, student)
        assert scores(again, NAME, student) == (0, FULL)
    assert not (
        again / "received" / "partly" / NAME / "graded.txt"
    ).exists()  # otherwise it would not be graded again
    assert [one for one in recwarn if "Object of type" in str(one.message)] == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_ending_make_grade_ends_all_its_processes(name: str, tmp_path: Path) -> None:
    notebook = answered(NAME, {FIRST: "while True: pass"}, "ada")
    folder = tmp_path / "handed in" / "ada"
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")
    arguments = f"SUBMISSIONS={folder.parent}", f"COURSE={tmp_path / 'course'}", f"PS={NAME}"
    limit = "ARGS=--cell-seconds=600 --seconds=600"
    log = tmp_path / "log"
    with log.open("w") as file:
        make = subprocess.Popen(
            Book(ROOT).command("grade", *arguments, limit),
            cwd=ROOT,
            env=environment(TMPDIR=str(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=file,
            # a background process of a script ignores SIGINT by default
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
    started: dict[psutil.Process, list[str]] = {}
    while make.poll() is None and not any("ipykernel_launcher" in words for words in started.values()):
        time.sleep(0.2)
        started |= _descendants(make.pid)
    (grading,) = [one for one, words in started.items() if words[1:3] == ["-m", "assignments.course.grade"]]
    # a terminal sends SIGINT to all its processes, a scheduler sends SIGTERM to the one that it started
    os.kill(grading.pid if name == "SIGINT" else make.pid, getattr(signal, name))
    _, alive = psutil.wait_procs(list(started), timeout=60)
    for one in alive:
        one.kill()
    make.wait()
    assert [started[one] for one in alive] == []
    assert not list(tmp_path.glob("grading-*"))
    assert "Traceback" not in log.read_text(encoding="utf-8")


def _descendants(pid: int) -> dict[psutil.Process, list[str]]:
    """Return all descendants of a process with their command lines."""
    found = {}
    with suppress(psutil.NoSuchProcess):
        for one in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                found[one] = one.cmdline()
    return found


def _text_of(page: str) -> str:
    from bs4 import BeautifulSoup

    return BeautifulSoup(page, "html.parser").get_text()
