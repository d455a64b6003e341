"""`make branch` commits a release to a branch without any history of the source."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small_books import ROOT, Book, environment

ADDRESS = "https://github.com/owner/name"
AUTHOR = {f"GIT_{role}_{key}": "t" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
VARIABLES = AUTHOR | {"BOOK_REPOSITORY": ADDRESS, "BOOK_BRANCH": "students"}
MARK = ".made-by-release"


def git(folder: Path, *arguments: str) -> list[str]:
    """Run git and return the words that it prints."""
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment(**AUTHOR))
    return done.stdout.split()


def source(folder: Path) -> Path:
    """Make a repository with the command and nothing to release."""
    for part in ("assignments/course", "book/_ext"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "README.md").write_text("A toy\n", encoding="utf-8")
    git(folder.parent, "init", "--quiet", "--initial-branch=main", str(folder))
    git(folder, "add", "--all")
    return folder


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Make such a repository with a commit."""
    made = source(tmp_path / "toy")
    git(made, "commit", "--quiet", "-m", "source")
    return made


def branch(folder: Path, text: str = "for students", name: str = "students") -> tuple[int, str]:
    """Commit a release with that text; return the exit code and everything printed."""
    into = folder.parent / "released"
    into.mkdir(exist_ok=True)
    (into / "a.md").write_text(text, encoding="utf-8")
    (into / MARK).write_text("a.md\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "assignments.course.published_branch", into],
        cwd=folder,
        env=environment(**VARIABLES, PYTHONPATH=str(folder / "book" / "_ext")) | {"BOOK_BRANCH": name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_the_branch_has_the_release_and_no_history_of_the_source(tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / "book"], check=True)
    book = Book(tmp_path / "book")
    made = book.make("branch", "PS=ps3-variance", env=VARIABLES)
    assert made.returncode == 0, made.stderr
    assert "git push origin refs/heads/students" in made.stdout
    names = git(book.root, "ls-tree", "-r", "--name-only", "students")
    assert "problem_sets/ps3-variance/ps3-variance.ipynb" in names
    assert [name for name in names if name.startswith(("assignments/", "tests/"))] == []
    assert git(book.root, "rev-list", "--count", "students") == ["1"]
    assert git(book.root, "status", "--porcelain") == []

    again = book.make("branch", "PS=ps3-variance", env=VARIABLES)
    assert "students is up to date" in again.stdout
    assert git(book.root, "rev-list", "--count", "students") == ["1"]


def test_the_source_commit_and_uncommitted_changes_are_named(toy: Path) -> None:
    commit = git(toy, "rev-parse", "--short", "HEAD")[0]
    code, output = branch(toy)
    assert code == 0
    assert output.splitlines()[0].endswith(f", made from {commit}")
    (toy / "assignments" / "course" / "new.py").touch()
    assert f"made from {commit} with uncommitted changes\n" in branch(toy, "a second text")[1]
    (last,) = [" ".join(git(toy, "log", "-1", "--format=%s", "students"))]
    assert last == f"Release for students, made from {commit} with uncommitted changes"


def test_another_clone_continues_the_branch(toy: Path, tmp_path: Path) -> None:
    assert branch(toy)[0] == 0
    git(tmp_path, "clone", "--quiet", str(toy), "second")
    second = tmp_path / "second"
    assert "students is up to date" in branch(second)[1]
    git(second, "update-ref", "-d", "refs/heads/students")
    assert branch(second, "a second text")[0] == 0
    git(second, "push", "--quiet", "origin", "refs/heads/students")  # fails unless it is a fast-forward
    git(toy, "clone", "--quiet", str(second), str(tmp_path / "third"))
    assert branch(tmp_path / "third", "a third text")[0] == 0
    assert git(tmp_path / "third", "rev-list", "--count", "students") == ["3"]
    git(second, "fetch", "--quiet", str(tmp_path / "third"), "students:refs/remotes/origin/students")
    assert branch(second, "a fourth text")[0] == 0  # its own branch is behind
    assert git(second, "rev-list", "--count", "students") == ["4"]


def test_a_branch_with_other_commits_or_checked_out_is_refused(toy: Path, tmp_path: Path) -> None:
    code, output = branch(toy, name="main")
    assert (code, "has commits that are not releases" in output) == (2, True)
    assert branch(toy)[0] == 0
    git(toy, "worktree", "add", "--quiet", str(tmp_path / "open"), "students")
    before = git(toy, "rev-parse", "students")
    code, output = branch(toy, "a second text")
    assert (code, f"is checked out in {tmp_path / 'open'}" in output) == (2, True)
    assert git(toy, "rev-parse", "students") == before


def test_the_folder_must_be_the_top_of_a_repository_with_a_commit(tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    inner = source(outer / "inner")
    code, output = branch(inner)
    assert (code, "has none: commit first" in output) == (2, True)
    shutil.rmtree(inner / ".git")
    code, output = branch(inner)
    assert (code, output) == (2, "make branch needs git, and this folder must be the top of a repository\n")
    git(outer, "init", "--quiet")
    git(outer, "commit", "--quiet", "--allow-empty", "-m", "somebody else's")
    code, output = branch(inner)
    assert (code, f"not a folder in {outer}" in output) == (2, True)
    assert git(outer, "for-each-ref", "refs/heads/students") == []


def test_a_branch_name_that_would_push_the_source_is_refused(toy: Path) -> None:
    code, output = branch(toy, name="HEAD")
    assert (code, "BOOK_BRANCH is 'HEAD'" in output) == (2, True)
    assert "git push" not in output
