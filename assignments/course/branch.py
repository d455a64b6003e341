"""Commits what `make release` filled to a branch of this repository; checks nothing out and pushes nothing.

The branch has a history of its own: nothing of the source, and so no solution, can be reached from it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from address import BRANCH, find  # book/_ext

from assignments.course import ROOT
from assignments.course.release import MARK


def commit(folder: Path, branch: str) -> str | None:
    """Make the files of a released folder the newest commit of the branch; None if they are that already.

    Raises FileNotFoundError if no release filled the folder, ValueError if the branch holds something else.
    """
    if not (folder / MARK).exists():
        raise FileNotFoundError(f"INTO: no release filled {folder}")
    parent = _git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", check=False)
    if parent and not _git("ls-tree", "--name-only", parent, MARK):
        raise ValueError(f"BOOK_BRANCH: the branch {branch} holds what no release made; name another")
    with tempfile.TemporaryDirectory() as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        names = (folder / MARK).read_text(encoding="utf-8").split("\n")[:-1]
        listed = "\0".join([*names, MARK]).encode()
        _git("update-index", "--add", "-z", "--stdin", folder=folder, given=listed, environment=index)
        tree = _git("write-tree", folder=folder, environment=index)
    if parent and tree == _git("rev-parse", f"{parent}^{{tree}}"):
        return None
    source = _git("rev-parse", "--short", "HEAD")
    message = f"What students get, made from {source}"
    made = _git("commit-tree", tree, *(("-p", parent) if parent else ()), "-m", message)
    _git("update-ref", f"refs/heads/{branch}", made, parent or "0" * 40)
    return made


def _git(
    *arguments: str,
    folder: Path = ROOT,
    given: bytes = b"",
    check: bool = True,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run git on this repository, with `folder` as its files."""
    asked = ["git", f"--git-dir={_git_dir()}", f"--work-tree={folder}", *arguments]
    done = subprocess.run(
        asked, cwd=folder, input=given, capture_output=True, env=os.environ | (environment or {}), check=False
    )
    if check and done.returncode:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()


def _git_dir() -> str:
    asked = ["git", "-C", str(ROOT), "rev-parse", "--absolute-git-dir"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def main(arguments: list[str]) -> int:
    """Commit, and say what to push."""
    (into,) = arguments
    try:
        address = find(ROOT)
        branch = address.branch if address else os.environ.get("BOOK_BRANCH", "") or BRANCH
        made = commit(Path(into).expanduser().resolve(), branch)
    except (FileNotFoundError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, subprocess.CalledProcessError):
        print("A branch needs git, and this folder to be a repository", file=sys.stderr)
        return 2
    print(f"{branch} is at {made}" if made else f"{branch} holds it already")
    print(f"publish it with: git push origin {branch}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
