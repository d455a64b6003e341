"""`make branch`: what students get, on a branch that shares nothing with the source, and no other's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small_books import ROOT, Book, environment

ADDRESS = "https://github.com/owner/name"
WHO = {f"GIT_{role}_{key}": "t" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
VARIABLES = WHO | {"BOOK_REPOSITORY": ADDRESS, "BOOK_BRANCH": "students"}
MARK = ".made-by-release"


def git(folder: Path, *arguments: str) -> list[str]:
    """The words that git answers."""
    asked = ["git", "-C", str(folder), *arguments]
    said = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment(**WHO))
    return said.stdout.split()


def source(folder: Path) -> Path:
    """A repository with the command and nothing to release."""
    for part in ("assignments/course", "book/_ext"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "README.md").write_text("A toy\n", encoding="utf-8")
    git(folder.parent, "init", "--quiet", "--initial-branch=main", str(folder))
    git(folder, "add", "--all")
    return folder


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Such a repository with a commit."""
    made = source(tmp_path / "toy")
    git(made, "commit", "--quiet", "-m", "source")
    return made


def branch(folder: Path, text: str = "for students", name: str = "students") -> tuple[int, str]:
    """Commit a released folder with that text: the return code, and all that was said."""
    into = folder.parent / "released"
    into.mkdir(exist_ok=True)
    (into / "a.md").write_text(text, encoding="utf-8")
    (into / MARK).write_text("a.md\n", encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-m", "assignments.course.published_branch", into],
        cwd=folder,
        env=environment(**VARIABLES, PYTHONPATH=str(folder / "book" / "_ext")) | {"BOOK_BRANCH": name},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in said.stderr
    return said.returncode, said.stdout + said.stderr


def test_the_branch_holds_what_students_get_and_no_history_of_the_source(tmp_path: Path) -> None:
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
    assert "students holds it already" in again.stdout
    assert git(book.root, "rev-list", "--count", "students") == ["1"]


def test_it_says_which_commit_it_was_made_from_and_that_files_were_changed(toy: Path) -> None:
    commit = git(toy, "rev-parse", "--short", "HEAD")[0]
    code, said = branch(toy)
    assert code == 0
    assert said.splitlines()[0].endswith(f", made from {commit}")
    (toy / "assignments" / "course" / "new.py").touch()
    assert f"made from {commit}, with changes that are not committed\n" in branch(toy, "a second text")[1]
    (last,) = [" ".join(git(toy, "log", "-1", "--format=%s", "students"))]
    assert last == f"What students get, made from {commit}, with changes that are not committed"


def test_another_clone_goes_on_where_the_first_one_ended(toy: Path, tmp_path: Path) -> None:
    assert branch(toy)[0] == 0
    git(tmp_path, "clone", "--quiet", str(toy), "second")
    second = tmp_path / "second"
    assert "students holds it already" in branch(second)[1]
    git(second, "update-ref", "-d", "refs/heads/students")
    assert branch(second, "a second text")[0] == 0
    git(second, "push", "--quiet", "origin", "refs/heads/students")  # fails where it is no fast-forward
    git(toy, "clone", "--quiet", str(second), str(tmp_path / "third"))
    assert branch(tmp_path / "third", "a third text")[0] == 0
    assert git(tmp_path / "third", "rev-list", "--count", "students") == ["3"]
    git(second, "fetch", "--quiet", str(tmp_path / "third"), "students:refs/remotes/origin/students")
    assert branch(second, "a fourth text")[0] == 0  # what it has itself is behind
    assert git(second, "rev-list", "--count", "students") == ["4"]


def test_a_branch_that_is_another_or_lies_open_is_left_alone(toy: Path, tmp_path: Path) -> None:
    code, said = branch(toy, name="main")
    assert (code, "holds what no release made" in said) == (2, True)
    assert branch(toy)[0] == 0
    git(toy, "worktree", "add", "--quiet", str(tmp_path / "open"), "students")
    before = git(toy, "rev-parse", "students")
    code, said = branch(toy, "a second text")
    assert (code, f"is checked out in {tmp_path / 'open'}" in said) == (2, True)
    assert git(toy, "rev-parse", "students") == before


def test_no_repository_but_one_of_its_own_with_a_commit_will_do(tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    inner = source(outer / "inner")
    code, said = branch(inner)
    assert (code, "has none: commit first" in said) == (2, True)
    shutil.rmtree(inner / ".git")
    code, said = branch(inner)
    assert (code, said) == (2, "A branch needs git, and this folder to be a repository of its own\n")
    git(outer, "init", "--quiet")
    git(outer, "commit", "--quiet", "--allow-empty", "-m", "somebody else's")
    code, said = branch(inner)
    assert (code, f"it lies in that of {outer}" in said) == (2, True)
    assert git(outer, "for-each-ref", "refs/heads/students") == []


def test_a_name_that_would_push_the_source_is_refused(toy: Path) -> None:
    code, said = branch(toy, name="HEAD")
    assert (code, "BOOK_BRANCH is 'HEAD'" in said) == (2, True)
    assert "git push" not in said
