"""Commits what `make release` filled to a branch of this repository; checks nothing out and pushes nothing.

The branch has a history of its own: nothing of the source, and so no solution, can be reached from it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from address import BRANCH, find  # book/_ext

from assignments.course import ROOT
from assignments.course.release_without_solutions import MARK, TRAVEL


def commit(folder: Path, branch: str) -> str | None:
    """Make the files of a released folder the newest commit of the branch; None if they are that already.

    Raises FileNotFoundError if no release filled the folder, ValueError if the branch holds something else or
    is checked out, or if `ROOT` is not the top of a repository with a commit.
    """
    if not (folder / MARK).exists():
        raise FileNotFoundError(f"INTO: no release filled {folder}")
    source = made_from()
    here, parent = _newest(branch)
    if parent and not _git("ls-tree", "--name-only", parent, MARK):
        raise ValueError(f"BOOK_BRANCH: the branch {branch} holds what no release made; name another")
    _refuse_if_checked_out(branch)
    with tempfile.TemporaryDirectory() as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        names = (folder / MARK).read_text(encoding="utf-8").split("\n")[:-1]
        listed = "\0".join([*names, MARK]).encode()
        _git("update-index", "--add", "-z", "--stdin", folder=folder, given=listed, environment=index)
        tree = _git("write-tree", folder=folder, environment=index)
    old = here or "0" * 40
    if parent and tree == _git("rev-parse", f"{parent}^{{tree}}"):
        _git("update-ref", f"refs/heads/{branch}", parent, old)
        return None
    message = f"What students get, made from {source}"
    made = _git("commit-tree", tree, *(("-p", parent) if parent else ()), "-m", message)
    _git("update-ref", f"refs/heads/{branch}", made, old)
    return made


def made_from() -> str:
    """The commit that is checked out, and whether the files differ from it, in words.

    Raises ValueError if `ROOT` is not the top of a repository with a commit.
    """
    top = _git("rev-parse", "--show-toplevel", check=False) if shutil.which("git") else ""
    if not top or not Path(top).samefile(ROOT):
        instead = f"; it lies in that of {top}" if top else ""
        raise ValueError(f"A branch needs git, and this folder to be a repository of its own{instead}")
    source = _git("rev-parse", "--verify", "--quiet", "--short", "HEAD", check=False)
    if not source:
        raise ValueError("A branch is made from a commit, and this repository has none: commit first")
    changed = _git("status", "--porcelain", "--", *TRAVEL, "assignments")
    return f"{source}, with changes that are not committed" if changed else source


def _newest(branch: str) -> tuple[str, str]:
    """The branch's newest commit here, and the one to go on from: of `origin`, if that is further."""
    here, there = (
        _git("rev-parse", "--verify", "--quiet", f"{refs}/{branch}", check=False)
        for refs in ("refs/heads", "refs/remotes/origin")
    )
    if there and (not here or _git("merge-base", here, there, check=False) == here):
        return here, there
    return here, here


def _refuse_if_checked_out(branch: str) -> None:
    """Files that lie open somewhere must not change their branch under whoever works on them."""
    for listed in _git("worktree", "list", "--porcelain").split("\n\n"):
        where, *rest = listed.splitlines()
        if f"branch refs/heads/{branch}" in rest:
            folder = where.removeprefix("worktree ")
            raise ValueError(
                f"BOOK_BRANCH: the branch {branch} is checked out in {folder}; check out another there"
            )


def _git(
    *arguments: str,
    folder: Path = ROOT,
    given: bytes = b"",
    check: bool = True,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run git on this repository, with `folder` as its files."""
    elsewhere = folder != ROOT
    place = [f"--git-dir={_git('rev-parse', '--absolute-git-dir')}", "--work-tree=."] if elsewhere else []
    done = subprocess.run(
        ["git", *place, *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env=os.environ | (environment or {}),
        check=False,
    )
    if check and done.returncode:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()


def main(arguments: list[str]) -> int:
    """Commit, and say what to push."""
    (into,) = arguments
    try:
        address = find(ROOT)
        branch = address.branch if address else os.environ.get("BOOK_BRANCH", "") or BRANCH
        made = commit(Path(into).expanduser().resolve(), branch)
        print(f"{branch} is at {made}, made from {made_from()}" if made else f"{branch} holds it already")
    except (OSError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    # In full, for a tag may have the same name.
    print(f"publish it with: git push origin refs/heads/{branch}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
