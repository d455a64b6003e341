"""The repository's public address: where it is found, and which values are refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repository_address import Address, find_address

GITHUB = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "owner/name"}


def repository(folder: Path, remote: str) -> Path:
    """Return a git repository with a remote."""
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", remote], check=True)
    return folder


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({"BOOK_REPOSITORY": "https://github.com/o/n.git/", **GITHUB}, "https://github.com/o/n"),
        ({"BOOK_REPOSITORY": "http://www.GitHub.com/o/n/tree/main"}, "https://github.com/o/n"),
        ({"BOOK_REPOSITORY": "https://gitlab.com/g/p/n/-/tree/main"}, "https://gitlab.com/g/p/n"),
        ({"BOOK_REPOSITORY": "https://codeberg.org/o/n/src/branch/main"}, "https://codeberg.org/o/n"),
        ({"BOOK_REPOSITORY": "https://u:p@ss@git.sr.ht/~u/n"}, "https://git.sr.ht/~u/n"),
        ({"BOOK_REPOSITORY": ""}, None),
        (GITHUB | {"BOOK_BRANCH": "release"}, "https://github.com/owner/name"),
        ({"CI_PROJECT_URL": "https://gitlab.com/group/part/name"}, "https://gitlab.com/group/part/name"),
        ({}, "https://github.com/some/other"),
    ],
)
def test_the_environment_gives_it(tmp_path: Path, environment: dict[str, str], url: str | None) -> None:
    repository(tmp_path, "https://github.com/some/other")
    assert find_address(tmp_path, environment) == (Address(url) if url else None)
    (tmp_path / "book").mkdir()
    assert find_address(tmp_path / "book", {}) is None  # a folder in another repository


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://x-access-token:secret@github.com/o/n.git", "https://github.com/o/n"),
        ("git@github.com:o/n.git", "https://github.com/o/n"),
        ("ssh://git@codeberg.org:22/o/n.git", "https://codeberg.org/o/n"),
        ("git@git.sr.ht:~u/n", "https://git.sr.ht/~u/n"),
        ("/srv/git/book.git", None),
        ("file:///srv/git/book.git", None),
        ("data.d/more/repo", None),
        ("http://localhost:3000/o/n", None),
        ("https://token@10.0.0.7/o/n.git", None),
        ("ssh://git@gitserver/o/n", None),
    ],
)
def test_otherwise_the_remote_gives_it_if_readers_can_open_it(
    tmp_path: Path, remote: str, url: str | None
) -> None:
    found = find_address(repository(tmp_path, remote), {})
    assert found == (Address(url) if url else None)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(
            ("BOOK_REPOSITORY", value)
            for value in ("o/n", "https://github.com/o", "https://u:x/secret@h/o/n")
        ),
        *(("BOOK_BRANCH", value) for value in ("a/b", "a b", "HEAD", "x..y", "x.lock")),
    ],
)
def test_an_invalid_value_is_refused_without_a_password(tmp_path: Path, variable: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{variable} is") as refused:
        find_address(tmp_path, GITHUB | {variable: value})
    assert "secret" not in str(refused.value)
