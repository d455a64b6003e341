"""Commits a release to a branch of this repository, without checking it out or pushing it.

The branch has a separate history, so that no commit with a solution can be reached from it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from repository_address import BRANCH, find_address  # book/_ext

from assignments.course import ROOT
from assignments.course.release_without_solutions import COPIED, MANIFEST


def commit(folder: Path, branch: str) -> str | None:
    """Commit the files of a release to the branch and return the commit; None if nothing has changed.

    Raises FileNotFoundError if the folder is not a release, and ValueError if the branch has other commits or
    is checked out, or if `ROOT` is not the top of a repository with a commit.
    """
    if not (folder / MANIFEST).exists():
        raise FileNotFoundError(f"INTO: {folder} was not made by make release")
    source = source_commit()
    local, parent = _newest(branch)
    if parent and not _git("ls-tree", "--name-only", parent, MANIFEST):
        raise ValueError(f"BOOK_BRANCH: {branch} has commits that are not releases; choose another branch")
    _refuse_if_checked_out(branch)
    with tempfile.TemporaryDirectory() as scratch:
        index = {"GIT_INDEX_FILE": str(Path(scratch) / "index")}
        names = (folder / MANIFEST).read_text(encoding="utf-8").split("\n")[:-1]
        listed = "\0".join([*names, MANIFEST]).encode()
        _git("update-index", "--add", "-z", "--stdin", folder=folder, stdin=listed, environment=index)
        tree = _git("write-tree", folder=folder, environment=index)
    old = local or "0" * 40
    if parent and tree == _git("rev-parse", f"{parent}^{{tree}}"):
        _git("update-ref", f"refs/heads/{branch}", parent, old)
        return None
    message = f"Release for students, made from {source}"
    new = _git("commit-tree", tree, *(("-p", parent) if parent else ()), "-m", message)
    _git("update-ref", f"refs/heads/{branch}", new, old)
    return new


def source_commit() -> str:
    """Return the commit that is checked out, and a note if there are uncommitted changes.

    Raises ValueError if `ROOT` is not the top of a repository with a commit.
    """
    top = _git("rev-parse", "--show-toplevel", check=False) if shutil.which("git") else ""
    if not top or not Path(top).samefile(ROOT):
        outer = f", not a folder in {top}" if top else ""
        raise ValueError(f"make branch needs git, and this folder must be the top of a repository{outer}")
    source = _git("rev-parse", "--verify", "--quiet", "--short", "HEAD", check=False)
    if not source:
        raise ValueError("make branch needs a commit, and this repository has none: commit first")
    changed = _git("status", "--porcelain", "--", *COPIED, "assignments")
    return f"{source} with uncommitted changes" if changed else source


def _newest(branch: str) -> tuple[str, str]:
    """Return the local branch's commit, and the parent for the next one: that of `origin` if it is ahead."""
    local, remote = (
        _git("rev-parse", "--verify", "--quiet", f"{refs}/{branch}", check=False)
        for refs in ("refs/heads", "refs/remotes/origin")
    )
    if remote and (not local or _git("merge-base", local, remote, check=False) == local):
        return local, remote
    return local, local


def _refuse_if_checked_out(branch: str) -> None:
    """Raise ValueError if a worktree has the branch checked out, since its files would no longer match."""
    for listed in _git("worktree", "list", "--porcelain").split("\n\n"):
        first, *rest = listed.splitlines()
        if f"branch refs/heads/{branch}" in rest:
            folder = first.removeprefix("worktree ")
            raise ValueError(f"BOOK_BRANCH: {branch} is checked out in {folder}; switch to another there")


def _git(
    *arguments: str,
    folder: Path = ROOT,
    stdin: bytes = b"",
    check: bool = True,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run git on this repository, with `folder` as its work tree, and return what it prints."""
    separate = folder != ROOT
    location = [f"--git-dir={_git('rev-parse', '--absolute-git-dir')}", "--work-tree=."] if separate else []
    done = subprocess.run(
        ["git", *location, *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        env=os.environ | (environment or {}),
        check=False,
    )
    if check and done.returncode:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()


def main(arguments: list[str]) -> int:
    """Commit the release and print the command that publishes it."""
    (into,) = arguments
    try:
        address = find_address(ROOT)
        branch = address.branch if address else os.environ.get("BOOK_BRANCH", "") or BRANCH
        new = commit(Path(into).expanduser().resolve(), branch)
        print(f"{branch} is now {new}, made from {source_commit()}" if new else f"{branch} is up to date")
    except (OSError, ValueError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    # In full, because a tag may have the same name.
    print(f"publish it with: git push origin refs/heads/{branch}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
