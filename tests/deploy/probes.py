"""What students try and must not succeed in, each from a kernel of their own; what came of it, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from tests.deploy.git_server import GitServer
from tests.deploy.instructor import Instructor
from tests.deploy.person import CellError, Person

if TYPE_CHECKING:
    from tests.deploy.lesson import Lesson

# A name of the exchange that this account can read and that tells whose work it is.
FOREIGN = """
import os
from pathlib import Path
for folder, folders, files in os.walk({exchange!r}):
    for name in folders + files:
        path = Path(folder, name)
        try:
            foreign = {other!r} in str(path) or {other!r} in path.read_text()
        except (PermissionError, IsADirectoryError, UnicodeDecodeError):
            foreign = {other!r} in str(path)
        if foreign:
            print(path)
"""

# To and back, so that where it can be done, the rest of the class still shows what else can.
RENAME = """
import os
os.rename({old!r}, {new!r})
os.rename({new!r}, {old!r})
"""

TRANSPORT = """
import json
from ipykernel.connect import get_connection_info
print(json.loads(get_connection_info())["transport"])
"""

# A folder in the inbound folder under another's name, dated into the future; and a link to the solutions.
FORGED = """
import os, shutil
inbound = {inbound!r}
forged = os.path.join(inbound, {other!r} + "+{problem_set}+2099-01-01 00:00:00.000000 UTC+forged")
os.mkdir(forged)
shutil.copy("{notebook}", forged)
linked = os.path.join(inbound, {me!r} + "+{problem_set}+2099-01-01 00:00:00.000000 UTC+linked")
os.symlink({source!r}, linked)
"""


def tried(student: Person, code: str) -> str:
    """Run it; what it printed, or the error."""
    try:
        return student.run(code).strip()
    except CellError as error:
        return str(error)


def all_of(
    lesson: Lesson, instructor: Instructor, reader: Person, victim: Person, forger: Person
) -> dict[str, str]:
    """All attempts, and what the instructor may that students may not."""
    inbound = lesson.inbound
    course = inbound.parent
    home, theirs = lesson.accounts.homes / victim.name, f"{instructor.problem_set}/{lesson.notebook}"
    reaches = {
        "list another's home": f"import os; print(os.listdir({str(home)!r}))",
        "read another's notebook": f"print(open({str(home / theirs)!r}).read())",
        "list the instructor's home": f"import os; print(os.listdir({str(instructor.course.parent)!r}))",
        "list the inbound folder": f"import os; print(os.listdir({str(inbound)!r}))",
        "write into a released set": f"open({str(course / 'outbound' / theirs)!r}, 'a')",
        "rename the course": RENAME.format(old=str(course), new=f"{course}2"),
        "what of another's the exchange shows": FOREIGN.format(
            exchange=str(lesson.exchange), other=victim.name
        ),
        "another's environment": "\n".join(
            f"print(open('/proc/{p.pid}/environ').read())"
            for p in lesson.accounts.processes()
            if p.username() == victim.name
        ),
        "more memory than allowed": "x = bytearray(4_000_000_000)",
    }
    came_of = {what: tried(reader, code) for what, code in reaches.items()}
    came_of["own memory"] = tried(reader, "x = bytearray(1_000_000_000); del x; print('given')")

    came_of["how a kernel is reached"] = tried(victim, TRANSPORT)
    for what, person, path in (
        ("another's server", reader, f"/user/{victim.name}/api/contents"),
        ("another's account", reader, f"/hub/api/users/{victim.name}"),
        ("formgrader, for a student", reader, f"/user/{reader.name}/formgrader/api/assignments"),
        (
            "formgrader, for the instructor",
            instructor.person,
            f"/user/{instructor.person.name}/formgrader/api/assignments",
        ),
    ):
        came_of[what] = str(person.web.get(path).status_code)
    came_of["with no token"] = str(httpx.get(f"{lesson.hub.url}/user/{victim.name}/api/contents").status_code)

    forging = FORGED.format(
        inbound=str(inbound),
        other=reader.name,
        me=forger.name,
        problem_set=instructor.problem_set,
        notebook=lesson.notebook,
        source=str(instructor.course / "source" / instructor.problem_set),
    )
    came_of["pull twice"] = pulled(lesson, reader)
    came_of["forge"] = tried(forger, forging) or "done"
    return came_of


def pulled(lesson: Lesson, student: Person) -> str:
    """What lies in a student's copy that was pulled, written in, and pulled again after the book went on."""
    with GitServer(lesson.hub.folder / "git") as server:
        server.commit("chapter.txt", "first\n")
        student.pull(server.url, "main", "lab/tree/book/chapter.txt")
        tried(
            student,
            "import os; os.chdir(os.path.expanduser('~')); open('book/chapter.txt', 'a').write('mine\\n')",
        )
        server.commit("news.txt", "later\n")
        student.pull(server.url, "main", "lab/tree/book/chapter.txt")
    return tried(student, "print(open('book/chapter.txt').read(), open('book/news.txt').read(), sep='')")
