"""Make nbgrader's exchange, the folder for releasing and submitting, or check its owners and permissions.

    sudo python deploy/exchange.py make  FOLDER COURSE INSTRUCTOR    make or repair the exchange
    python deploy/exchange.py check FOLDER COURSE INSTRUCTOR         list what is wrong; exit 1 if anything is

The permissions are nbgrader's own plus the sticky bit on the exchange and on `inbound`. Without it everybody
who can write there could also rename or remove the work of others.
"""

from __future__ import annotations

import argparse
import os
import pwd
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

# The last digit is what others may do: 7 everything, 5 list and open, 3 add but not list, 1 open by name.
MODES = {
    ".": 0o1777,  # nbgrader requires an exchange that everybody can write; each course's folder has its owner
    "COURSE": 0o755,
    "COURSE/outbound": 0o755,  # released problem sets: everybody can read
    "COURSE/inbound": 0o3733,  # submissions: everybody can add, only the instructor can list
    "COURSE/feedback": 0o711,  # only a student knows the name of their file, a hash of the submission
}


def folders(root: Path, course: str) -> Iterator[tuple[Path, int]]:
    """Yield each folder of the exchange with its mode."""
    for name, mode in MODES.items():
        yield root / name.replace("COURSE", course), mode


def make(root: Path, course: str, instructor: str) -> None:
    """Create missing folders and set owners and modes; submissions are kept."""
    owner = pwd.getpwnam(instructor)
    for folder, mode in folders(root, course):
        folder.mkdir(parents=True, exist_ok=True)
        if folder != root:  # the exchange belongs to root, and all courses share it
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        folder.chmod(mode)


def faults(root: Path, course: str, instructor: str) -> Iterator[str]:
    """Yield a sentence for each wrong folder, mode or owner."""
    owner = pwd.getpwnam(instructor)
    for folder, mode in folders(root, course):
        if not folder.is_dir() or folder.is_symlink():
            yield f"{folder} is not a folder"
            continue
        status = folder.stat()
        if stat.S_IMODE(status.st_mode) != mode:
            yield f"{folder} has mode {stat.S_IMODE(status.st_mode):o}; it must be {mode:o}"
        if status.st_uid != (0 if folder == root else owner.pw_uid):
            yield f"{folder} must belong to {'root' if folder == root else instructor}"


def main(arguments: list[str]) -> int:
    """Make or check the exchange; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("action", choices=["make", "check"])
    parser.add_argument(
        "folder", type=Path, help="the exchange; nbgrader's default is /srv/nbgrader/exchange"
    )
    parser.add_argument("course", help="nbgrader's course_id, one word")
    parser.add_argument("instructor", help="unix account that releases, collects and grades")
    options = parser.parse_args(arguments)
    if Path(options.course).name != options.course or options.course in {"", ".", ".."}:
        parser.error(f"course={options.course!r} must be one word, such as gpt2")
    try:
        pwd.getpwnam(options.instructor)
    except KeyError:
        parser.error(f"instructor={options.instructor!r} must be an account on this machine")
    if options.action == "make":
        if os.geteuid() != 0:
            parser.error("make must run as root, because it gives folders to the instructor")
        make(options.folder, options.course, options.instructor)
    found = list(faults(options.folder, options.course, options.instructor))
    for fault in found:
        print(fault, file=sys.stderr)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
