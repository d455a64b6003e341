"""`make grade` runs real nbgrader on a class of submissions, from a folder to grades.csv.

One run has every kind of faulty notebook, and none may affect the others. A second run continues it.
"""

from __future__ import annotations

import ast
import copy
import csv
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from bs4 import BeautifulSoup

from assignments.course.grade import main
from assignments.course.grade_submission import id_matches
from assignments.course.gradebook import open_gradebook, scores
from assignments.course.register_problem_set import register
from assignments.course.report import report
from tests.assignments.tasks import HIDDEN, SOURCE, answered, cell, tasks
from tests.small_books import ROOT, Book, environment

NAME = "ps3-variance"
TASKS = tasks(NAME)
FIRST, SECOND, THIRD, FOURTH, FIFTH = TASKS
FULL = sum(task.points for task in TASKS.values())
SECONDS = 10  # time limit of a cell: the solutions need 1, and importing torch more on a busy machine


@dataclass(frozen=True)
class Student:
    """A student's notebook, with the tasks and flags that `make grade` must report."""

    change: Callable[[Any], None]  # to a notebook with all solutions
    lost: tuple[str, ...] = ()  # tasks
    flags: tuple[str, ...] = ()


def answer(notebook: Any, **sources: str) -> None:
    """Replace the answers to tasks."""
    for task, source in sources.items():
        cell(notebook, task).source = source


def insert(notebook: Any, source: str, before: str = "") -> None:
    """Add a cell of the student's own before one with a grade_id, or else at the end."""
    at = notebook.cells.index(cell(notebook, before)) if before else len(notebook.cells)
    notebook.cells.insert(at, nbformat.v4.new_code_cell(source))


def odd(notebook: Any) -> None:
    """Shadow builtins, which nbgrader's and the tests' code must survive, and leave odd metadata."""
    # not `list`: the given first line of an answer would fail, which a student would notice
    names = "sum = id = abs = str = tuple = type = map = any = 0"
    for task in (FIRST, SECOND):  # after the answer, before its test
        insert(notebook, f"{names}\ntorch.set_grad_enabled(False)", f"{task}-test")
    cell(notebook, f"{FIRST}-test").metadata["tags"] = None
    insert(notebook, f"{names}\n'half a character: \ud83d'")


def stuck(notebook: Any) -> None:
    """Fail in five ways."""
    memory = "kept = [bytearray(200_000_000) for _ in range(10_000)]"
    failing = [
        "def walk(n, width generator):",
        "while True: pass",
        memory,
        "exit()",
        "raise ValueError('no')",
    ]
    answer(notebook, **dict(zip(TASKS, failing)))


def tamper(notebook: Any) -> None:
    """Answer nothing, disable three tests, copy a fourth, use another id, and print the cells that ran."""
    notebook.cells.remove(cell(notebook, f"{FIRST}-test"))
    cell(notebook, f"{SECOND}-test").source = "pass"
    cell(notebook, f"{THIRD}-test").metadata["tags"] = ["skip-execution"]
    answer(notebook, **{name: task.released for name, task in TASKS.items()})
    insert(notebook, "print(In)\nfor line in In: print(line)")
    notebook.cells.insert(0, copy.deepcopy(cell(notebook, f"{FOURTH}-test")))
    for one in notebook.cells:
        one.source = one.source.replace('STUDENT_ID = "tamper"', 'STUDENT_ID = "Grace"')


def spy(notebook: Any) -> None:
    """Read the solutions, look for ways there, leave a process, print too much, and use a second id."""
    notebook.cells.insert(1, nbformat.v4.new_code_cell('STUDENT_ID = "grace"'))
    insert(notebook, 'globals()["STUDENT_ID"] = "grace"', SECOND)
    # backwards, as a disguise
    read = f"text = open({str(SOURCE / NAME / f'{NAME}.ipynb')!r}).read()[::-1]"
    answer(notebook, **{FIRST: f"{read}\nprint(text)\ntext", SECOND: f"{read}\n{SECOND} = text"})
    for source in (
        "import os, subprocess, sys, time\n[*sys.path, *sys.argv, os.getcwd(), *os.environ.values()]",
        "if (child := os.fork()) == 0:\n    os.setsid(); time.sleep(3000); os._exit(0)\nprint(child)",
        'print(subprocess.run([sys.executable, "-m", "pip", "-V"], capture_output=True, text=True).stderr)',
        "print('word ' * 2_000_000)\nraise ValueError('word ' * 2_000_000)",
        "raise Exception(text)",
        "raise type(text.replace(chr(0), ''), (Exception,), {})",
    ):
        insert(notebook, source)


OFF = "get_ipython().input_transformers_cleanup.append(lambda lines: [])"
RESTORED = (f"deleted and restored: {FIRST}-test", f"edited and restored: {SECOND}-test")
TAGGED = (f"tagged skip-execution: {THIRD}-test", f"present 2 times: {FOURTH}-test", "STUDENT_ID is 'Grace'")
ENDED = (f"syntax error: {FIRST}", f"ran out of time: {SECOND}", f"ran out of memory: {THIRD}")
CLASS = {
    "odd": Student(odd),
    "stuck": Student(stuck, tuple(TASKS), ENDED),
    "dead": Student(
        lambda one: answer(one, walk="import os; os._exit(0)"), tuple(TASKS), ("the kernel died",)
    ),
    "tamper": Student(tamper, tuple(TASKS), RESTORED + TAGGED),
    "off": Student(lambda one: insert(one, OFF, FIRST), (), ("the kernel skipped the last cell",)),
    "spy": Student(spy, (FIRST, SECOND), ("STUDENT_ID is also grace", "STUDENT_ID is 'grace' at the end")),
}
each = pytest.mark.parametrize("name", CLASS)


def grade(submissions: Path, course: Path) -> str:
    """Run `make grade`; return what it prints."""
    where = f"SUBMISSIONS={submissions}", f"COURSE={course}"
    graded = Book(ROOT).make("grade", *where, f"PS={NAME}", f"ARGS=--cell-seconds={SECONDS}")
    assert graded.returncode == 0, graded.stdout[-5000:] + graded.stderr[-5000:]
    return graded.stdout


def grades(course: Path) -> dict[str, dict[str, str]]:
    """Return the rows of grades.csv by student."""
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def page(course: Path, student: str) -> Path:
    """Return a student's page of feedback."""
    return course / "feedback" / student / NAME / f"{NAME}.html"


def text_of(path: Path) -> str:
    """Return what a reader sees of a page."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").get_text()


def executed(course: Path, student: str) -> Path:
    """Return a student's notebook as it was executed."""
    return course / "autograded" / student / NAME / f"{NAME}.ipynb"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Grade the class and four students without a notebook."""
    root = tmp_path_factory.mktemp("class")
    submissions, course = root / "handed in", root / "course"
    for name, student in CLASS.items():
        notebook = answered(NAME, name)
        student.change(notebook)
        (submissions / name).mkdir(parents=True)
        # Not by nbformat, which would repair it; escaped, because a file cannot have a lone surrogate.
        (submissions / name / f"{NAME}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for name, file in (("pdf", f"{NAME}.pdf"), ("broken", f"{NAME}.ipynb"), ("lost", "homework.ipynb")):
        (submissions / name).mkdir()
        (submissions / name / file).write_text("%PDF-1.7", encoding="utf-8")
    (submissions / "nothing").mkdir()
    printed = grade(submissions, course)
    assert "lost/homework.ipynb" in printed
    assert "ungraded written answers" not in printed  # this problem set has none
    return course


@pytest.fixture
def again(course: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of the course, for a test that changes it; pytest's handlers of signals are kept."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    shutil.copytree(course, tmp_path / "course")
    yield tmp_path / "course"
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def one(course: Path, tmp_path: Path) -> Path:
    """Return a folder of submissions with the notebook of one student, as it was graded."""
    shutil.copytree(course / "received" / "odd", tmp_path / "one" / "odd")
    return tmp_path / "one"


@each
def test_everybody_has_the_expected_points_and_flags(name: str, course: Path) -> None:
    student, row = CLASS[name], grades(course)[name]
    points = {task.name: 0 if task.name in student.lost else task.points for task in TASKS.values()}
    assert {task: float(row[task]) for task in TASKS} == points, row
    assert (float(row["score"]), float(row["max_score"])) == (sum(points.values()), FULL)
    assert row["assignment"] == NAME  # the other problem sets have no submission and so no rows
    assert [flag for flag in student.flags if flag not in row["flags"]] == []
    assert student.flags or row["flags"] == ""


def test_what_is_no_notebook_has_zero_points_and_a_flag(course: Path) -> None:
    flags = {"pdf": "not a notebook", "broken": "not a notebook", "nothing": "the submission is empty"}
    for name, flag in flags.items():
        row = grades(course)[name]
        assert float(row["score"]) == 0
        assert flag in row["flags"]


def test_g1_feedback_shows_no_hidden_test_and_no_solution_that_code_read(course: Path) -> None:
    assert not page(course, "dead").exists()
    for name in CLASS.keys() - {"dead"}:
        assert "HIDDEN TESTS" not in page(course, name).read_text(encoding="utf-8")
        shown = text_of(page(course, name))
        for task in TASKS.values():
            lines = [line.strip() for line in HIDDEN.findall(task.checks)[0].splitlines()[1:-1]]
            secret = [line for line in lines if len(line) > 24 and not line.startswith(("assert", "#"))]
            assert [line for line in secret if line in shown] == []
    assert "NotImplementedError" in text_of(page(course, "tamper"))  # the message of a failed test
    shown = text_of(page(course, "spy"))
    (quoting,) = re.findall(rf"AssertionError: {SECOND} must be a number, got.*", shown)
    assert len(quoting) < 400  # cut short
    assert [line for line in TASKS[FIRST].solution.splitlines() if line[::-1].strip() in shown] == []


def test_g1_a_notebook_has_no_path_to_the_solutions_and_leaves_no_process(course: Path) -> None:
    graded = nbformat.read(executed(course, "spy"), as_version=4)
    given, forked, pip, much = (one.outputs for one in graded.cells[-7:-3])
    installed = [sys.prefix, str(Path(sys.executable).parent)]  # Python itself knows this path
    for path in ast.literal_eval(given[0].data["text/plain"]):
        assert any(part in path for part in installed) or not (str(ROOT) in path or str(course) in path), path
    assert not psutil.pid_exists(int(forked[0].text))
    assert "packages cannot be installed or removed" in pip[0].text
    assert "9,980,001 characters left out" in much[0].text
    assert "characters left out" in much[1].evalue


def test_what_goes_back_to_a_platform_has_a_row_and_a_page_for_each_student(course: Path) -> None:
    students = {*CLASS, "pdf", "broken", "nothing"}
    for platform, key in (("moodle", "ID number"), ("canvas", "SIS Login ID"), ("blackboard", "Username")):
        with (course / "upload" / f"{platform}.csv").open(encoding="utf-8", newline="") as file:
            points = {row[key]: float(row[NAME]) for row in csv.DictReader(file)}
        assert points == {name: float(row["score"]) for name, row in grades(course).items()}
        assert points.keys() == students
    with zipfile.ZipFile(course / "feedback.zip") as archive:
        assert f"odd/{NAME}.html" in archive.namelist()
    rows = {line.split("|")[2].strip(): line for line in report(course).splitlines()[2:]}
    assert rows.keys() == TASKS.keys()
    assert "NotImplementedError" in rows[FIRST]  # of a task that was not answered


def test_a_second_run_grades_what_is_new_and_keeps_what_was_graded_by_hand(
    course: Path, again: Path, one: Path
) -> None:
    with open_gradebook(again) as book:
        for student in ("odd", "off"):
            book.find_grade(f"{FIRST}-test", NAME, NAME, student).needs_manual_grade = True
        book.find_comment(FIRST, NAME, NAME, "odd").manual_comment = "a walk to be proud of"
        book.find_grade(f"{FOURTH}-test", NAME, NAME, "spy").manual_score = 0.5
        book.db.commit()
    (one / "spy").mkdir()
    nbformat.write(answered(NAME, "spy"), one / "spy" / f"{NAME}.ipynb")
    # two, and one whose answer has changed since it was graded by hand
    assert "ungraded written answers: 3; run make formgrader" in grade(one, again)
    assert "a walk to be proud of" in text_of(page(again, "odd"))
    before, after = grades(course), grades(again)
    assert float(after["spy"]["score"]) == FULL - TASKS[FOURTH].points + 0.5
    assert after["spy"]["flags"] == ""
    for name in CLASS.keys() - {"dead"}:
        same = executed(again, name).stat().st_mtime_ns == executed(course, name).stat().st_mtime_ns
        assert same == (name != "spy"), name
        same = page(again, name).read_bytes() == page(course, name).read_bytes()
        assert same == (name not in ("spy", "odd")), name
        assert same == (after[name] == before[name]) or name in ("odd", "off"), name


def test_a_failure_that_is_not_the_students_keeps_the_points(
    again: Path, one: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> list[str]:
        raise OSError("the disk is full")

    monkeypatch.setattr("assignments.course.grade.grade", broken)
    assert main([str(one), f"--course={again}", f"--ps={NAME}"]) == 0
    assert "the disk is full" in capsys.readouterr().out
    assert scores(again, NAME, "odd") == (FULL, FULL)


@pytest.mark.slow
def test_a_course_without_its_gradebook_is_graded_again(again: Path, one: Path) -> None:
    (again / "gradebook.db").unlink()
    grade(one, again)
    assert scores(again, NAME, "odd") == (FULL, FULL)


def test_a_problem_set_that_cannot_be_registered_leaves_the_course_unchanged(
    again: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (again / "known" / f"{NAME}.ipynb").write_bytes(b"of another source")

    def run_nbgrader(*arguments: str, course: Path) -> subprocess.CompletedProcess[str]:
        shutil.rmtree(course / "release" / NAME)  # as nbgrader does before it notices
        return subprocess.CompletedProcess(arguments, 1, "RuntimeError: Cannot add or remove cells for it")

    monkeypatch.setattr("assignments.course.register_problem_set.run_nbgrader", run_nbgrader)
    with pytest.raises(ValueError, match="name another COURSE"):
        register(again, NAME)
    assert (again / "release" / NAME / f"{NAME}.ipynb").exists()


def test_nbgrader_run_by_hand_uses_the_course_of_its_folder(course: Path) -> None:
    command = [sys.executable, "-m", "nbgrader", "db", "student", "list"]
    listed = subprocess.run(
        command, cwd=course, env=environment(), capture_output=True, text=True, check=True
    )
    assert "tamper" in listed.stdout + listed.stderr


def test_wrong_arguments_are_refused(again: Path, one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (again.parent / "file").touch()
    for arguments, message in (
        ([again, "--course", again], "must not contain each other"),
        ([again / "submitted", "--course", again], "must not contain each other"),
        ([again.parent, "--course", again], "must not contain each other"),
        (["nowhere"], "SUBMISSIONS must be a folder"),
        ([one, "--ps=ps9"], "unknown problem set 'ps9'; choose from ps1-tying"),
        ([one, "--course", again.parent / "file"], "cannot be used as a folder"),
        ([one, "--course", again.parent / "file" / "below"], "cannot be used as a folder"),
    ):
        assert main([str(argument) for argument in arguments]) == 2
        assert message in capsys.readouterr().err
    for limit in ("--seconds=0", "--gigabytes=-1", "--cell-seconds=nan"):
        with pytest.raises(SystemExit):
            main([str(one), limit])
        assert "must be a whole number of at least 1, got" in capsys.readouterr().err
    with (again / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main([str(one), f"--course={again}"]) == 2
    assert f"another make grade is using {again}" in capsys.readouterr().err


def test_make_passes_every_path_on_as_it_is() -> None:
    for argument, message in (("SUBMISSIONS=", "is not set"), ('SUBMISSIONS=-a"b$c', '-a"b$c is not one')):
        refused = Book(ROOT).make("grade", argument)
        assert refused.returncode != 0
        assert message in refused.stderr
        assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("typed_id", ["o'hara@x.edu", "o-hara@x.edu", " O-hara@x.edu "])
def test_a_typed_id_matches_its_folder_name(typed_id: str) -> None:
    assert id_matches(typed_id, "o-hara@x.edu")
    assert not id_matches(typed_id, "ohara@x.edu")


@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGINT", marks=pytest.mark.slow)])
def test_ending_make_grade_ends_all_its_processes(name: str, again: Path, tmp_path: Path) -> None:
    folder = tmp_path / "handed in" / "ada"
    folder.mkdir(parents=True)
    nbformat.write(answered(NAME, "ada", walk="while True: pass"), folder / f"{NAME}.ipynb")
    arguments = f"SUBMISSIONS={folder.parent}", f"COURSE={again}", f"PS={NAME}"
    with (tmp_path / "log").open("w") as log:
        make = subprocess.Popen(
            Book(ROOT).command("grade", *arguments, "ARGS=--cell-seconds=600 --seconds=600"),
            cwd=ROOT,
            env=environment(TMPDIR=str(tmp_path)),
            stdout=subprocess.DEVNULL,
            stderr=log,
            # a background process of a script ignores SIGINT by default
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    started: dict[psutil.Process, list[str]] = {}
    while make.poll() is None and not any("ipykernel_launcher" in words for words in started.values()):
        time.sleep(0.2)
        with suppress(psutil.NoSuchProcess):
            started |= {one: one.cmdline() for one in psutil.Process(make.pid).children(recursive=True)}
    (grading,) = [one for one, words in started.items() if words[1:3] == ["-m", "assignments.course.grade"]]
    # a terminal sends SIGINT to all its processes, a scheduler sends SIGTERM to the one that it started
    os.kill(grading.pid if name == "SIGINT" else make.pid, getattr(signal, name))
    _, alive = psutil.wait_procs(list(started), timeout=60)
    for one in alive:
        one.kill()
    make.wait()
    assert [started[one] for one in alive] == []
    assert not list(tmp_path.glob("grading-*"))
    assert "Traceback" not in (tmp_path / "log").read_text(encoding="utf-8")
