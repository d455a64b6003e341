"""Runs a class on a real hub, from the first login to the last score, and records the observations."""

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

from tests.deploy import access_attempts
from tests.deploy.accounts import Accounts, root
from tests.deploy.hub import Hub, public_folder
from tests.deploy.hub_user import CellError, HubUser
from tests.deploy.instructor import Instructor
from tests.deploy.run_exchange_script import make_exchange
from tests.deploy.sample_problem_set import answered, solutions

COURSE = "shared-and-scaled"


@dataclass
class Observations:
    """What the tests check."""

    students: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)  # those of `students` with right answers
    cells: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # by student: grade_id to the error of its cell
    scores: dict[str, Any] = field(default_factory=dict)
    attempts: dict[str, str] = field(default_factory=dict)
    while_hub_was_down: list[str] = field(default_factory=list)
    servers_before: dict[str, Any] = field(default_factory=dict)
    servers_after: dict[str, Any] = field(default_factory=dict)
    collected: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    memory: int = 0
    memory_of_servers: int = 0


class HubClass:
    """A course with `count` students; `teach` runs the class once."""

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
        self.seen = Observations()
        self.users: list[HubUser] = []
        self.notebook = next(iter(sorted(problem_set.glob("*.ipynb")))).name
        self.answers = solutions(problem_set / self.notebook)

    @property
    def inbound(self) -> Path:
        """Return the folder of submissions in the exchange."""
        return self.exchange / COURSE / "inbound"

    def user(self, account: str) -> HubUser:
        """Add a user for an account."""
        user = HubUser(self.hub.url, account, self.accounts.passwords[account])
        self.users.append(user)
        return user

    def timed(self, what: str, work: Callable[[], Any]) -> Any:
        """Run `work` and record how long it took."""
        began = time.monotonic()
        result = work()
        self.seen.seconds[what] = round(time.monotonic() - began, 1)
        return result

    def set_up(self) -> Instructor:
        """Make the exchange and the instructor's course folder with the problem set, and start the hub."""
        instructor = self.accounts.add("teacher", self.accounts.staff)
        make_exchange(self.exchange, COURSE, instructor)
        course = self.accounts.homes / instructor / "course"
        shutil.copytree(self.problem_set, course / "source" / self.problem_set.name)
        root("chown", "-R", instructor, course)
        self.hub.start_proxy()
        self.hub.start()
        return Instructor(self.user(instructor), course, self.problem_set.name)

    def arrive(self, student: HubUser) -> None:
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

    def submit(self, student: HubUser) -> None:
        """Submit the problem set."""
        student.assignments("submit", COURSE, self.problem_set.name)

    def at_once(self, work: Callable[[HubUser], Any], students: list[HubUser]) -> None:
        """Run `work` for all students at the same time."""
        with ThreadPoolExecutor(len(students)) as pool:
            list(pool.map(work, students))

    def restart_hub(self, students: list[HubUser]) -> None:
        """Stop the hub, run code for everybody without it, and start it again."""
        with ExitStack() as connections:
            for student in students:
                connections.enter_context(student.connected())
            self.restart_while_connected(students)

    def restart_while_connected(self, students: list[HubUser]) -> None:
        """Do this while everybody is connected to their kernel."""
        self.seen.servers_before = {s.name: s.run("import os; print(os.getppid())") for s in students}
        self.hub.stop()
        self.seen.while_hub_was_down = [s.run("print('still here')").strip() for s in students]
        self.hub.start()
        self.seen.servers_after = {s.name: s.run("import os; print(os.getppid())") for s in students}
        for student in students:
            assert student.server()["ready"], student.name

    def teach(self) -> Observations:
        """Run the class and return the observations."""
        seen = self.seen
        instructor = self.set_up()
        instructor.user.log_in()
        instructor.user.start_server()
        instructor.user.open_kernel()
        self.timed("generate and release", instructor.release)

        seen.students = [self.accounts.add(f"s{n:02}", self.accounts.students) for n in range(self.count)]
        seen.answered = [name for n, name in enumerate(seen.students) if n % 3 != 2]
        students = [self.user(name) for name in seen.students]
        self.timed("log in, start, fetch, run", lambda: self.at_once(self.arrive, students))
        seen.memory = self.accounts.memory()
        seen.memory_of_servers = self.accounts.memory("jupyterhub-singleuser")

        half = (self.count + 1) // 2
        self.timed("first half submits", lambda: self.at_once(self.submit, students[:half]))
        self.timed("restart of the hub", lambda: self.restart_hub(students))
        self.timed("second half submits", lambda: self.at_once(self.submit, students[half:]))

        seen.attempts = access_attempts.try_all(self, instructor, *students[:3])
        seen.collected = self.timed("collect", instructor.collect)
        seen.scores = self.timed("autograde", instructor.grade)
        return seen

    def close(self) -> None:
        """Close all connections and stop the hub."""
        for user in self.users:
            user.close()
        self.hub.close()

    def record(self, folder: Path) -> None:
        """Write the measured times and memory to a file."""
        measured = {
            "students": self.count,
            "problem set": self.problem_set.name,
            "GB of all servers and kernels": round(self.seen.memory / 1e9, 2),
            "GB of all servers": round(self.seen.memory_of_servers / 1e9, 2),
            "seconds": self.seen.seconds,
        }
        public_folder(folder)
        (folder / f"class-of-{self.count}.json").write_text(json.dumps(measured, indent=1), encoding="utf-8")
