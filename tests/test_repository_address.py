"""Where the repository is published: what says so, and what is no address at all."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repository_address import Address, find

GITHUB = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "owner/name"}


def repository(folder: Path, remote: str) -> Path:
    """A git repository with a remote."""
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", remote], check=True)
    return folder


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({"BOOK_REPOSITORY": "https://github.com/o/n"}, "https://github.com/o/n"),
        ({"BOOK_REPOSITORY": "https://github.com/o/n.git/", **GITHUB}, "https://github.com/o/n"),
        (GITHUB, "https://github.com/owner/name"),
        ({"BOOK_REPOSITORY": "https://github.com/o/n/tree/main"}, "https://github.com/o/n"),
        ({"BOOK_REPOSITORY": "http://www.GitHub.com/o/n/"}, "https://github.com/o/n"),
        ({"BOOK_REPOSITORY": "https://gitlab.com/g/p/n/-/tree/main"}, "https://gitlab.com/g/p/n"),
        ({"BOOK_REPOSITORY": "https://codeberg.org/o/n/src/branch/main"}, "https://codeberg.org/o/n"),
        ({"BOOK_REPOSITORY": "https://git.sr.ht/~u/n"}, "https://git.sr.ht/~u/n"),
        ({"BOOK_REPOSITORY": "https://u:p@ss@git.sr.ht/~u/n"}, "https://git.sr.ht/~u/n"),
        ({"CI_PROJECT_URL": "https://gitlab.com/group/part/name"}, "https://gitlab.com/group/part/name"),
    ],
)
def test_the_environment_says_it(tmp_path: Path, environment: dict[str, str], url: str) -> None:
    repository(tmp_path, "https://github.com/some/other")
    assert find(tmp_path, environment) == Address(url)


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://github.com/o/n.git", "https://github.com/o/n"),
        ("https://x-access-token:secret@github.com/o/n", "https://github.com/o/n"),
        ("git@github.com:o/n.git", "https://github.com/o/n"),
        ("ssh://git@codeberg.org:22/o/n.git", "https://codeberg.org/o/n"),
        ("/srv/git/book.git", None),
        ("file:///srv/git/book.git", None),
        ("../book", None),
        ("http://localhost:3000/o/n", None),
        ("https://token@10.0.0.7/o/n.git", None),
        ("http://gitserver/o/n.git", None),
        ("git@192.168.1.5:x/y", None),
        ("ssh://git@gitserver/o/n", None),
        ("data.d/repo", None),
        ("data.d/more/repo", None),
        ("git@git.sr.ht:~u/n", "https://git.sr.ht/~u/n"),
    ],
)
def test_else_the_remote_says_it_if_readers_can_open_it(tmp_path: Path, remote: str, url: str | None) -> None:
    found = find(repository(tmp_path, remote), {})
    assert found == (Address(url) if url else None)


def test_without_any_of_them_nothing_is_known(tmp_path: Path) -> None:
    repository(tmp_path, "https://github.com/o/n")
    assert find(tmp_path, {"BOOK_REPOSITORY": ""}) is None
    (tmp_path / "book").mkdir()
    assert find(tmp_path / "book", {}) is None  # a copy that lies in somebody else's repository


@pytest.mark.parametrize("said", ["o/n", "https://github.com", "https://github.com/o", "a b"])
def test_what_is_no_address_is_refused(tmp_path: Path, said: str) -> None:
    with pytest.raises(ValueError, match="BOOK_REPOSITORY is"):
        find(tmp_path, {"BOOK_REPOSITORY": said})


@pytest.mark.parametrize("said", ["https://u:secret@github.com", "https://u:x/secret@h/o n", "u:secret@h"])
def test_a_refusal_repeats_no_password(tmp_path: Path, said: str) -> None:
    with pytest.raises(ValueError, match="BOOK_REPOSITORY is") as refused:
        find(tmp_path, {"BOOK_REPOSITORY": said})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("branch", ["release", "students-2", "v1.2", "x.locks", "HEADS"])
def test_a_branch_is_one_for_git_too(tmp_path: Path, branch: str) -> None:
    found = find(tmp_path, GITHUB | {"BOOK_BRANCH": branch})
    assert found == Address("https://github.com/owner/name", branch)
    subprocess.run(["git", "check-ref-format", "--branch", branch], check=True)


@pytest.mark.parametrize("branch", ["a/b", "-x", "a b", "x.", "HEAD", "x..y", "x.lock", "@{-1}"])
def test_what_is_no_branch_is_refused(tmp_path: Path, branch: str) -> None:
    with pytest.raises(ValueError, match="BOOK_BRANCH is"):
        find(tmp_path, GITHUB | {"BOOK_BRANCH": branch})
