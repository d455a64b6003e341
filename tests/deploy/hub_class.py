"""Runs a class on a real hub, from the first login to the last score, and keeps what it observes."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

from tests.deploy.accounts import Accounts, public_folder, root
from tests.deploy.hub import Hub
from tests.deploy.hub_user import CellError, HubUser
from tests.small_books import ROOT

COURSE = "shared-and-scaled"
EXCHANGE_SCRIPT = ROOT / "deploy" / "exchange.py"
SOLUTION = "def halved(std):\n    ### BEGIN SOLUTION\n    return std / 2\n    ### END SOLUTION"


def tiny_problem_set(folder: Path, needs: str) -> Path:
    """Write a problem set of one task, whose first cell imports the module `needs`; return its folder."""

    def marked(source: str, name: str, **marks: Any) -> Any:
        marks = {
            "schema_version": 3,
            "task": False,
            "grade_id": name,
            "grade": False,
            "solution": False,
        } | marks
        return new_code_cell(source, metadata={"nbgrader": {"locked": not marks["solution"]} | marks})

    test = marked("assert halved(0.04) == 0.02", "halved-test", grade=True, points=2)
    cells = [new_code_cell(f"import {needs}"), marked(SOLUTION, "halved", solution=True), test]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    (folder / "ps0-tiny").mkdir(parents=True)
    nbformat.write(
        new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / "ps0-tiny" / "ps0-tiny.ipynb"
    )
    return folder / "ps0-tiny"


class HubClass:
    """A course with `count` students; `teach` runs the class once."""

    def __init__(self, folder: Path, accounts: Accounts, problem_set: Path, count: int) -> None:
        self.accounts, self.problem_set, self.count = accounts, problem_set, count
        self.exchange = folder / "exchange"
        self.inbound = self.exchange / COURSE / "inbound"
        (folder / "hub").mkdir(mode=0o700)
        settings = {
            "COURSE_ID": COURSE,
            "NBGRADER_EXCHANGE": str(self.exchange),
            "COURSE_SOCKETS": str(folder / "sockets"),
            "COURSE_STUDENTS": accounts.students,
            "COURSE_STAFF": accounts.staff,
        }
        self.hub = Hub(folder / "hub", settings)
        self.notebook = f"{problem_set.name}/{next(problem_set.glob('*.ipynb')).name}"
        source = nbformat.read(problem_set.parent / self.notebook, as_version=4)
        marked = [(cell, cell.metadata.get("nbgrader", {})) for cell in source.cells]
        self.answers = {marks["grade_id"]: cell.source for cell, marks in marked if marks.get("solution")}
        self.users: list[HubUser] = []
        self.students: list[HubUser] = []
        # what is observed
        self.errors: dict[str, list[str]] = {}  # of each student's cells
        self.scores: dict[str, tuple[float, float]] = {}  # points and maximum of the automatic tests
        self.attempts: dict[str, str] = {}
        self.servers: list[list[str]] = []  # the processes before, while and after the hub was restarted
        self.collected = ""
        self.seconds: dict[str, float] = {}
        self.memory: dict[str, float] = {}

    def user(self, name: str, group: str) -> HubUser:
        """Make an account and its user."""
        account = self.accounts.add(name, group)
        self.users.append(HubUser(self.hub.url, account, self.accounts.passwords[account]))
        return self.users[-1]

    def answers_of(self, student: HubUser) -> dict[str, str]:
        """Return what a student fills in: two of three all right answers, the others nothing."""
        return self.answers if self.students.index(student) % 3 != 2 else {}

    def timed(self, what: str, work: Callable[[HubUser], Any], *users: HubUser) -> list[Any]:
        """Run `work` for all these users at the same time, and record how long it took."""
        began = time.monotonic()
        with ThreadPoolExecutor(len(users)) as pool:
            results = list(pool.map(work, users))
        self.seconds[what] = round(time.monotonic() - began, 1)
        return results

    def nbgrader(self, user: HubUser, command: str) -> str:
        """Run nbgrader in the instructor's folder of the course, in their server."""
        command = f"cd ~/course && nbgrader {command} {self.problem_set.name} 2>&1"
        return user.run(f"import subprocess as s; print(s.check_output({command!r}, shell=True, text=True))")

    def set_up(self) -> HubUser:
        """Make the exchange and the instructor's course with the problem set, and start the hub."""
        teacher = self.user("teacher", self.accounts.staff)
        root(sys.executable, EXCHANGE_SCRIPT, "make", self.exchange, COURSE, teacher.name)
        self.course = self.accounts.homes / teacher.name / "course"
        shutil.copytree(self.problem_set, self.course / "source" / self.problem_set.name)
        root("chown", "-R", teacher.name, self.course)
        self.hub.start()
        teacher.log_in()
        teacher.start_server()
        teacher.open_kernel()
        self.nbgrader(teacher, "generate_assignment")
        self.nbgrader(teacher, "release_assignment")
        return teacher

    def arrive(self, student: HubUser) -> None:
        """Log in, start the server, fetch the problem set, fill it in and run it."""
        student.log_in()
        student.start_server()
        student.assignments("fetch", COURSE, self.problem_set.name)
        notebook = student.ask("GET", f"api/contents/{self.notebook}").json()["content"]
        answers = self.answers_of(student)
        for cell in notebook["cells"]:
            cell["source"] = cell["source"].replace('STUDENT_ID = ""', f'STUDENT_ID = "{student.name}"')
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            cell["source"] = answers.get(name, cell["source"])
        body = {"type": "notebook", "format": "json", "content": notebook}
        student.ask("PUT", f"api/contents/{self.notebook}", body)
        student.open_kernel(self.problem_set.name)
        self.errors[student.name] = []
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                try:
                    student.run(cell["source"])
                except CellError as error:
                    self.errors[student.name].append(str(error))

    def submit(self, student: HubUser) -> None:
        """Submit the problem set."""
        student.assignments("submit", COURSE, self.problem_set.name)

    def restart_hub(self) -> None:
        """Stop the hub while everybody is connected, run code for them without it, and start it again."""

        def observe() -> None:
            self.servers.append([student.run("import os; print(os.getppid())") for student in self.students])

        with ExitStack() as connections:
            for student in self.students:
                connections.enter_context(student.connected())
            observe()
            self.hub.stop("hub")
            observe()
            self.hub.start()
            observe()
        assert all(student.is_ready() for student in self.students)

    def teach(self) -> None:
        """Run the class."""
        teacher = self.set_up()
        self.students = [self.user(f"s{n:02}", self.accounts.students) for n in range(self.count)]
        self.timed("log in, start, fetch, run", self.arrive, *self.students)
        for what, named in (("servers and kernels", ""), ("servers", "jupyterhub-singleuser")):
            self.memory[f"GB of all {what}"] = round(self.accounts.memory(named) / 1e9, 2)
        half = (self.count + 1) // 2
        self.timed("first half submits", self.submit, *self.students[:half])
        self.timed("restart of the hub", lambda _: self.restart_hub(), teacher)
        self.timed("second half submits", self.submit, *self.students[half:])
        self.try_all(teacher, *self.students[:3])
        (self.collected,) = self.timed("collect", lambda _: self.nbgrader(teacher, "collect"), teacher)
        self.timed("autograde", lambda _: self.nbgrader(teacher, "autograde"), teacher)
        with Gradebook(f"sqlite:///{self.course / 'gradebook.db'}") as book:
            for submission in book.assignment_submissions(self.problem_set.name):
                grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
                automatic = [grade for grade in grades if grade.auto_score is not None]
                points, maximum = (
                    sum(getattr(g, kind) for g in automatic) for kind in ("auto_score", "max_score")
                )
                self.scores[submission.student.id] = points, maximum

    def try_all(self, teacher: HubUser, reader: HubUser, victim: HubUser, forger: HubUser) -> None:
        """Try to reach what students may not, from their own kernels and with their tokens."""
        home, course, other = (
            self.accounts.homes / victim.name,
            self.inbound.parent,
            f"{self.inbound.parent}2",
        )
        theirs = [p.pid for p in self.accounts.processes() if p.username() == victim.name]
        for name, code in {
            "list another's home": f"import os; os.listdir({str(home)!r})",
            "read another's notebook": f"open({str(home / self.notebook)!r})",
            "list the instructor's home": f"import os; os.listdir({str(self.course.parent)!r})",
            "list the inbound folder": f"import os; os.listdir({str(self.inbound)!r})",
            "write into a released set": f"open({str(course / 'outbound' / self.notebook)!r}, 'a')",
            # and back, so that the other attempts still work if this one succeeds
            "rename the course": f"import os; os.rename('{course}', '{other}')\n"
            f"os.rename('{other}', '{course}')",
            "another's environment": "\n".join(f"open('/proc/{pid}/environ').read()" for pid in theirs),
            "find another's work": f"!find {self.exchange} -path '*{victim.name}*' 2>/dev/null\n"
            f"!grep -rl {victim.name} {self.exchange} 2>/dev/null",
            "more memory than allowed": "x = bytearray(4_000_000_000)",
            "own memory": "x = bytearray(1_000_000_000); del x; print('given')",
            "how a kernel is reached": "from ipykernel.connect import get_connection_info as get\n"
            "print(get(unpack=True)['transport'])",
        }.items():
            self.attempts[name] = reader.attempt(code)
        no_token = httpx.get(f"{self.hub.url}{victim.server}/api/contents")
        self.attempts["with no token"] = str(no_token.status_code)
        forms = "formgrader/api/assignments"
        for name, client, path in (
            ("another's server", reader.web, f"{victim.server}/api/contents"),
            ("another's account", reader.web, f"/hub/api/users/{victim.name}"),
            ("formgrader, for a student", reader.web, f"{reader.server}/{forms}"),
            ("formgrader, for the instructor", teacher.web, f"{teacher.server}/{forms}"),
        ):
            self.attempts[name] = str(client.get(path).status_code)
        self.attempts["pull twice"] = self.pull_twice(reader)
        # A folder under another student's name with a future date, and a link to the solutions.
        forged, linked = (
            str(self.inbound / f"{owner.name}+{self.problem_set.name}+2099-01-01 00:00:00.000000 UTC+forged")
            for owner in (reader, forger)
        )
        source = str(self.course / "source" / self.problem_set.name)
        self.attempts["forge"] = forger.attempt(
            f"import os, shutil; os.mkdir({forged!r}); os.symlink({source!r}, {linked!r}); "
            f"shutil.copy({Path(self.notebook).name!r}, {forged!r}); print('done')"
        )

    def pull_twice(self, student: HubUser) -> str:
        """Pull a book, edit the copy, pull a newer version; return the files of the student's copy."""
        commit = "git add --all && git -c user.name=T -c user.email=t@example.invalid commit --quiet -m m"
        link = f"file://{self.accounts.homes / student.name}/git/book", "lab/tree/book/chapter.txt"
        student.attempt("!git init --quiet --initial-branch=main ~/git/book")
        student.attempt(f"!cd ~/git/book && echo first > chapter.txt && {commit}")
        student.pull(*link)
        student.attempt("!echo mine >> ~/book/chapter.txt")
        student.attempt(f"!cd ~/git/book && echo later > news.txt && {commit}")
        student.pull(*link)
        return student.attempt("!cat ~/book/chapter.txt ~/book/news.txt")

    def close(self) -> None:
        """Stop the hub and close all connections."""
        self.hub.stop(*self.hub.running)
        for user in self.users:
            user.web.close()

    def record(self, folder: Path) -> None:
        """Write the measured times and memory to a file."""
        measured = {"students": self.count, "problem set": self.problem_set.name}
        text = json.dumps(measured | self.memory | {"seconds": self.seconds}, indent=1)
        (public_folder(folder) / f"class-of-{self.count}.json").write_text(text, encoding="utf-8")
