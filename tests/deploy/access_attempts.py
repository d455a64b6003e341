"""Attempts of students to reach what they may not, each from their own kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from tests.deploy.git_server import GitServer
from tests.deploy.hub_user import CellError, HubUser
from tests.deploy.instructor import Instructor

if TYPE_CHECKING:
    from tests.deploy.hub_class import HubClass

# Prints the paths in the exchange that this account can read and that name another student.
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

# Renames and restores, so that the other attempts still work if this one succeeds.
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

# Adds a folder under another student's name with a future date, and a link to the solutions.
FORGED = """
import os, shutil
inbound = {inbound!r}
forged = os.path.join(inbound, {other!r} + "+{problem_set}+2099-01-01 00:00:00.000000 UTC+forged")
os.mkdir(forged)
shutil.copy("{notebook}", forged)
linked = os.path.join(inbound, {me!r} + "+{problem_set}+2099-01-01 00:00:00.000000 UTC+linked")
os.symlink({source!r}, linked)
"""


def attempt(student: HubUser, code: str) -> str:
    """Run code; return its output or its error."""
    try:
        return student.run(code).strip()
    except CellError as error:
        return str(error)


def try_all(
    hub_class: HubClass, instructor: Instructor, reader: HubUser, victim: HubUser, forger: HubUser
) -> dict[str, str]:
    """Make all attempts; return the result of each by name."""
    inbound = hub_class.inbound
    course = inbound.parent
    home, theirs = hub_class.accounts.homes / victim.name, f"{instructor.problem_set}/{hub_class.notebook}"
    codes = {
        "list another's home": f"import os; print(os.listdir({str(home)!r}))",
        "read another's notebook": f"print(open({str(home / theirs)!r}).read())",
        "list the instructor's home": f"import os; print(os.listdir({str(instructor.course.parent)!r}))",
        "list the inbound folder": f"import os; print(os.listdir({str(inbound)!r}))",
        "write into a released set": f"open({str(course / 'outbound' / theirs)!r}, 'a')",
        "rename the course": RENAME.format(old=str(course), new=f"{course}2"),
        "find another's work in the exchange": FOREIGN.format(
            exchange=str(hub_class.exchange), other=victim.name
        ),
        "another's environment": "\n".join(
            f"print(open('/proc/{p.pid}/environ').read())"
            for p in hub_class.accounts.processes()
            if p.username() == victim.name
        ),
        "more memory than allowed": "x = bytearray(4_000_000_000)",
    }
    results = {name: attempt(reader, code) for name, code in codes.items()}
    results["own memory"] = attempt(reader, "x = bytearray(1_000_000_000); del x; print('given')")

    results["how a kernel is reached"] = attempt(victim, TRANSPORT)
    for name, user, path in (
        ("another's server", reader, f"/user/{victim.name}/api/contents"),
        ("another's account", reader, f"/hub/api/users/{victim.name}"),
        ("formgrader, for a student", reader, f"/user/{reader.name}/formgrader/api/assignments"),
        (
            "formgrader, for the instructor",
            instructor.user,
            f"/user/{instructor.user.name}/formgrader/api/assignments",
        ),
    ):
        results[name] = str(user.web.get(path).status_code)
    results["with no token"] = str(
        httpx.get(f"{hub_class.hub.url}/user/{victim.name}/api/contents").status_code
    )

    forging = FORGED.format(
        inbound=str(inbound),
        other=reader.name,
        me=forger.name,
        problem_set=instructor.problem_set,
        notebook=hub_class.notebook,
        source=str(instructor.course / "source" / instructor.problem_set),
    )
    results["pull twice"] = pull_twice(hub_class, reader)
    results["forge"] = attempt(forger, forging) or "done"
    return results


def pull_twice(hub_class: HubClass, student: HubUser) -> str:
    """Pull the book, edit the copy, pull a newer version; return the files of the student's copy."""
    with GitServer(hub_class.hub.folder / "git") as server:
        server.commit("chapter.txt", "first\n")
        student.pull(server.url, "main", "lab/tree/book/chapter.txt")
        attempt(
            student,
            "import os; os.chdir(os.path.expanduser('~')); open('book/chapter.txt', 'a').write('mine\\n')",
        )
        server.commit("news.txt", "later\n")
        student.pull(server.url, "main", "lab/tree/book/chapter.txt")
    return attempt(student, "print(open('book/chapter.txt').read(), open('book/news.txt').read(), sep='')")
