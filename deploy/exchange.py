"""Make the folder through which nbgrader hands work to and fro, and check that nobody reads another's there.

    sudo python deploy/exchange.py make  FOLDER COURSE INSTRUCTOR    make it, or mend what is there
    python deploy/exchange.py check FOLDER COURSE INSTRUCTOR         say what is wrong; exit 1 if anything is

The permissions are nbgrader's own, with two bits more: sticky on the exchange and on `inbound`, without which
everybody who can write there can also rename or remove what others put there.
"""

from __future__ import annotations

import argparse
import os
import pwd
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

# What others may do is the last digit: 7 everything, 5 list and open, 3 put in but not list, 1 open by name.
MODES = {
    ".": 0o1777,  # nbgrader refuses an exchange that is not open to all; whose a course is, its folder says
    "COURSE": 0o755,
    "COURSE/outbound": 0o755,  # released problem sets: everybody reads
    "COURSE/inbound": 0o3733,  # submissions: everybody puts in, only the instructor lists
    "COURSE/feedback": 0o711,  # a student opens the one whose name is made from their own submission
}


def folders(root: Path, course: str) -> Iterator[tuple[Path, int]]:
    """Each folder of the exchange with its mode."""
    for name, mode in MODES.items():
        yield root / name.replace("COURSE", course), mode


def make(root: Path, course: str, instructor: str) -> None:
    """Create what is missing and set owners and modes; submissions that lie there stay."""
    owner = pwd.getpwnam(instructor)
    for folder, mode in folders(root, course):
        folder.mkdir(parents=True, exist_ok=True)
        if folder != root:  # which is root's, and shared by all courses
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        folder.chmod(mode)


def faults(root: Path, course: str, instructor: str) -> Iterator[str]:
    """What is not as it must be, a sentence each."""
    owner = pwd.getpwnam(instructor)
    for folder, mode in folders(root, course):
        if not folder.is_dir() or folder.is_symlink():
            yield f"{folder} is not a folder"
            continue
        found = folder.stat()
        if stat.S_IMODE(found.st_mode) != mode:
            yield f"{folder} has mode {stat.S_IMODE(found.st_mode):o}, and must have {mode:o}"
        if found.st_uid != (0 if folder == root else owner.pw_uid):
            yield f"{folder} must belong to {'root' if folder == root else instructor}"


def main(arguments: list[str]) -> int:
    """Make or check, as asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["make", "check"])
    parser.add_argument("folder", type=Path, help="for nbgrader's own place: /srv/nbgrader/exchange")
    parser.add_argument("course", help="one word; nbgrader's course_id")
    parser.add_argument("instructor", help="the unix account that releases, collects and grades")
    asked = parser.parse_args(arguments)
    if Path(asked.course).name != asked.course or asked.course in {"", ".", ".."}:
        parser.error(f"course={asked.course!r} must be one word, such as gpt2")
    try:
        pwd.getpwnam(asked.instructor)
    except KeyError:
        parser.error(f"instructor={asked.instructor!r} must be an account of this machine")
    if asked.what == "make":
        if os.geteuid() != 0:
            parser.error("make must be run as root: it gives folders to the instructor")
        make(asked.folder, asked.course, asked.instructor)
    found = list(faults(asked.folder, asked.course, asked.instructor))
    for fault in found:
        print(fault, file=sys.stderr)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
