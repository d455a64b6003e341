"""A class on a real hub, from the first login to the last score, and what was seen on the way."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.deploy import probes
from tests.deploy.accounts import Accounts, root
from tests.deploy.exchange import make_exchange
from tests.deploy.hub import Hub, public_folder
from tests.deploy.instructor import Instructor
from tests.deploy.person import CellError, Person
from tests.deploy.problem_set import answered, solutions

COURSE = "shared-and-scaled"


@dataclass
class Seen:
    """What the tests look at."""

    students: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)  # of these, who filled in the right answers
    cells: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # by student: grade_id to the error of its cell
    scores: dict[str, Any] = field(default_factory=dict)
    probes: dict[str, str] = field(default_factory=dict)
    while_hub_was_down: list[str] = field(default_factory=list)
    servers_before: dict[str, Any] = field(default_factory=dict)
    servers_after: dict[str, Any] = field(default_factory=dict)
    collected: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    memory: int = 0
    memory_of_servers: int = 0


class Lesson:
    """A course with `count` students; `teach` goes through the class once."""

    def __init__(self, folder: Path, accounts: Accounts, problem_set: Path, count: int) -> None:
        self.accounts, self.problem_set, self.count = accounts, problem_set, count
        self.exchange = folder / "exchange"
        hub_folder = folder / "hub"
        hub_folder.mkdir(mode=0o700)
        settings = {
            "COURSE_ID": COURSE,
            "NBGRADER_EXCHANGE": str(self.exchange),
            "COURSE_SOCKETS": str(folder / "sockets"),
            "COURSE_STUDENTS": accounts.students,
            "COURSE_STAFF": accounts.staff,
        }
        self.hub = Hub(hub_folder, settings)
        self.seen = Seen()
        self.people: list[Person] = []
        self.notebook = next(iter(sorted(problem_set.glob("*.ipynb")))).name
        self.answers = solutions(problem_set / self.notebook)

    @property
    def inbound(self) -> Path:
        """Where submissions arrive."""
        return self.exchange / COURSE / "inbound"

    def person(self, account: str) -> Person:
        """Somebody with a browser."""
        person = Person(self.hub.url, account, self.accounts.passwords[account])
        self.people.append(person)
        return person

    def timed(self, what: str, work: Callable[[], Any]) -> Any:
        """Do it and write down how long it took."""
        began = time.monotonic()
        result = work()
        self.seen.seconds[what] = round(time.monotonic() - began, 1)
        return result

    def prepare(self) -> Instructor:
        """Accounts, the exchange, and the instructor's course folder with the problem set in it."""
        instructor = self.accounts.add("teacher", self.accounts.staff)
        make_exchange(self.exchange, COURSE, instructor)
        course = self.accounts.homes / instructor / "course"
        shutil.copytree(self.problem_set, course / "source" / self.problem_set.name)
        root("chown", "-R", instructor, course)
        self.hub.start_proxy()
        self.hub.start()
        return Instructor(self.person(instructor), course, self.problem_set.name)

    def arrive(self, student: Person) -> None:
        """Log in, start the server, fetch the problem set, fill it in and run it."""
        student.log_in()
        student.start_server()
        student.assignments("fetch", COURSE, self.problem_set.name)
        path = f"{self.problem_set.name}/{self.notebook}"
        notebook = student.get(f"api/contents/{path}")["content"]
        if student.name in self.seen.answered:
            notebook = answered(notebook, self.answers, student.name)
        student.save(path, notebook)
        student.open_kernel(self.problem_set.name)
        errors: dict[str, str] = {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                try:
                    student.run(cell["source"])
                except CellError as error:
                    errors[cell["metadata"].get("nbgrader", {}).get("grade_id", cell["id"])] = str(error)
        self.seen.cells[student.name] = errors

    def submit(self, student: Person) -> None:
        """Press Submit."""
        student.assignments("submit", COURSE, self.problem_set.name)

    def at_once(self, work: Callable[[Person], Any], students: list[Person]) -> None:
        """All of them at the same time."""
        with ThreadPoolExecutor(len(students)) as pool:
            list(pool.map(work, students))

    def restart_hub(self, students: list[Person]) -> None:
        """Stop the hub, have everybody compute without it, and start it again."""
        with ExitStack() as connections:
            for student in students:
                connections.enter_context(student.connected())
            self.restart_while_connected(students)

    def restart_while_connected(self, students: list[Person]) -> None:
        """The same, where everybody holds a connection to their kernel that must last."""
        self.seen.servers_before = {s.name: s.run("import os; print(os.getppid())") for s in students}
        self.hub.stop()
        self.seen.while_hub_was_down = [s.run("print('still here')").strip() for s in students]
        self.hub.start()
        self.seen.servers_after = {s.name: s.run("import os; print(os.getppid())") for s in students}
        for student in students:
            assert student.server()["ready"], student.name

    def teach(self) -> Seen:
        """The class."""
        seen = self.seen
        instructor = self.prepare()
        instructor.person.log_in()
        instructor.person.start_server()
        instructor.person.open_kernel()
        self.timed("generate and release", instructor.release)

        seen.students = [self.accounts.add(f"s{n:02}", self.accounts.students) for n in range(self.count)]
        seen.answered = [name for n, name in enumerate(seen.students) if n % 3 != 2]
        students = [self.person(name) for name in seen.students]
        self.timed("log in, start, fetch, run", lambda: self.at_once(self.arrive, students))
        seen.memory = self.accounts.memory()
        seen.memory_of_servers = self.accounts.memory("jupyterhub-singleuser")

        half = (self.count + 1) // 2
        self.timed("first half submits", lambda: self.at_once(self.submit, students[:half]))
        self.timed("restart of the hub", lambda: self.restart_hub(students))
        self.timed("second half submits", lambda: self.at_once(self.submit, students[half:]))

        seen.probes = probes.all_of(self, instructor, *students[:3])
        seen.collected = self.timed("collect", instructor.collect)
        seen.scores = self.timed("autograde", instructor.grade)
        return seen

    def close(self) -> None:
        """Hang up and stop the hub."""
        for person in self.people:
            person.close()
        self.hub.close()

    def record(self, folder: Path) -> None:
        """Leave the measured times and memory in a file."""
        measured = {
            "students": self.count,
            "problem set": self.problem_set.name,
            "GB of all servers and kernels": round(self.seen.memory / 1e9, 2),
            "GB of all servers": round(self.seen.memory_of_servers / 1e9, 2),
            "seconds": self.seen.seconds,
        }
        public_folder(folder)
        (folder / f"class-of-{self.count}.json").write_text(json.dumps(measured, indent=1), encoding="utf-8")
