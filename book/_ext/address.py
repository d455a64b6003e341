"""At which address this repository is published, where that is known: the source tree itself does not say.

The environment variable BOOK_REPOSITORY says it, or else what continuous integration sets, or else the git
remote `origin`. Set but empty, BOOK_REPOSITORY means that there is none. BOOK_BRANCH names the branch that
holds what `make release` fills, which is where Binder, Colab and Codespaces start.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

BRANCH = "release"
INTRODUCTION = "book/intro.md"  # what JupyterLab opens first
_PUBLIC = re.compile(r"(?P<scheme>https?)://(?P<host>[\w.-]+(:\d+)?)/(?P<path>[\w.-]+(/[\w.~-]+)+)")
# What git accepts for the same place: ssh://git@host/owner/name, and git@host:owner/name.
_SSH = re.compile(
    r"(?:(?:ssh|git)://)?(?:[\w.-]+@)?(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+/|[:/])(?P<path>[^/:].*)"
)


@dataclass(frozen=True)
class Address:
    """A repository that anybody can open, and the branch in it that students get."""

    url: str  # https://host/owner/name
    branch: str = BRANCH

    @property
    def on_github(self) -> bool:
        """Colab and Codespaces open nothing else."""
        return self.url.startswith("https://github.com/")

    @property
    def package(self) -> str:
        """What pip installs `gpt2_teach` from."""
        return f"gpt2-teach @ git+{self.url}@{self.branch}"

    def binder(self, path: str) -> str:
        """Opens JupyterLab on a file, on the public Binder."""
        owner_and_name = self.url.removeprefix("https://github.com/")
        place = f"gh/{owner_and_name}" if self.on_github else f"git/{quote(self.url, safe='')}"
        return f"https://mybinder.org/v2/{place}/{self.branch}?urlpath=lab/tree/{path}"

    def colab(self, path: str) -> str:
        """Opens a notebook on Colab; only where `on_github`."""
        owner_and_name = self.url.removeprefix("https://github.com/")
        return f"https://colab.research.google.com/github/{owner_and_name}/blob/{self.branch}/{path}"

    def codespace(self) -> str:
        """Makes a codespace; only where `on_github`."""
        owner_and_name = self.url.removeprefix("https://github.com/")
        return f"https://codespaces.new/{owner_and_name}/tree/{self.branch}"


def find(root: Path, environment: Mapping[str, str] = os.environ) -> Address | None:
    """The address of the repository in `root`, or None where it is not known.

    Raises ValueError if BOOK_REPOSITORY is no address of a repository, or BOOK_BRANCH no name of a branch.
    """
    branch = environment.get("BOOK_BRANCH", "") or BRANCH
    if not re.fullmatch(r"\w[\w.-]*(?<!\.)", branch):
        raise ValueError(
            f"BOOK_BRANCH is {branch!r}; it must name a branch, without a slash, such as {BRANCH!r}"
        )
    if "BOOK_REPOSITORY" in environment:
        said = environment["BOOK_REPOSITORY"]
        url = public(said) if said else None
        if said and not url:
            raise ValueError(
                f"BOOK_REPOSITORY is {said!r}; it must be the address of a repository, such as "
                "https://github.com/owner/name, or empty where there is none"
            )
        return Address(url, branch) if url else None
    for said in _from_ci(environment), _from_git(root):
        if said:
            url = public(said)
            return Address(url, branch) if url else None
    return None


def public(said: str) -> str | None:
    """The address as a browser opens it, without a password that it holds; None if it is of no such kind.

    >>> public("git@github.com:owner/name.git"), public("https://user:secret@gitlab.com/group/part/name/")
    ('https://github.com/owner/name', 'https://gitlab.com/group/part/name')
    >>> public("/srv/git/name"), public("file:///srv/git/name.git"), public(r"C:\\git\\name")
    (None, None, None)
    """
    said = said.strip().rstrip("/").removesuffix(".git")
    if match := _PUBLIC.fullmatch(re.sub(r"//[^/@]*@", "//", said, count=1)):
        return f"{match['scheme']}://{match['host']}/{match['path']}"
    if (match := _SSH.fullmatch(said)) and "/" in match["path"]:
        return public(f"https://{match['host']}/{match['path'].lstrip('/')}")
    return None


def _from_ci(environment: Mapping[str, str]) -> str:
    """GitHub's and Forgejo's variables, and GitLab's."""
    server, name = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_REPOSITORY", "")
    return f"{server}/{name}" if server and name else environment.get("CI_PROJECT_URL", "")


def _from_git(root: Path) -> str:
    """The remote `origin` of the repository whose top is `root`: of no other that `root` may lie in."""
    if not (root / ".git").exists():
        return ""
    asked = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return ""
    # A remote on this machine or in a closed network leads no reader anywhere.
    return (
        "" if re.search(r"//(?:[^/@]*@)?(?:localhost|[\d.]+|\[[\da-f:]+\]|[^./]+)(?::\d+)?/", said) else said
    )
