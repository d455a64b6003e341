"""Finds the public address of this repository, which the source tree does not contain.

It is the value of the environment variable BOOK_REPOSITORY, or of the variables of continuous integration, or
the git remote `origin`. An empty BOOK_REPOSITORY means that there is none. BOOK_BRANCH names the branch with
the content of `make release`, which Binder, Colab and Codespaces open.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

BRANCH = "release"
INTRODUCTION = "book/intro.md"  # JupyterLab opens it first
GITHUB = "https://github.com/"
# Names that are valid in git and in a URL. HEAD would push what is checked out.
_BRANCH = re.compile(r"(?!HEAD$)\w+([.-]\w+)*(?<!\.lock)")
# git's other forms of an address: ssh://git@host:port/owner/name, and git@host:owner/name.
_SSH = re.compile(r"(?:ssh://)?[\w.-]+@([\w.-]+)(?::\d+/|[:/])")
_PATH = re.compile(r"(/[\w.~-]+){2,}")  # of an owner or group, and a name
_PAGE = re.compile(r"/(?:-|src/(?:branch|commit|tag))/.*")  # of a repository on GitLab or Forgejo


@dataclass(frozen=True)
class Address:
    """A public repository, and the branch for students."""

    url: str  # https://host/owner/name
    branch: str = BRANCH

    @property
    def on_github(self) -> bool:
        """Whether the repository is on GitHub; Colab and Codespaces open no others."""
        return self.url.startswith(GITHUB)

    @property
    def package(self) -> str:
        """The requirement from which pip installs `gpt2_teach`."""
        return f"gpt2-teach @ git+{self.url}@{self.branch}"

    @property
    def _name(self) -> str:
        return self.url.removeprefix(GITHUB)

    def binder(self, path: str) -> str:
        """Return the URL that opens a file in JupyterLab on the public Binder."""
        repository = f"gh/{self._name}" if self.on_github else f"git/{quote(self.url, safe='')}"
        return f"https://mybinder.org/v2/{repository}/{self.branch}?urlpath=lab/tree/{path}"

    def colab(self, path: str) -> str:
        """Return the URL that opens a notebook on Colab; requires `on_github`."""
        return f"https://colab.research.google.com/github/{self._name}/blob/{self.branch}/{path}"

    def codespace(self) -> str:
        """Return the URL that creates a codespace; requires `on_github`."""
        return f"https://codespaces.new/{self._name}/tree/{self.branch}"


def find_address(root: Path, environment: Mapping[str, str] = os.environ) -> Address | None:
    """Find the public address of the repository in `root`, or None if there is none.

    Raises ValueError if BOOK_REPOSITORY is not the address of a repository, or BOOK_BRANCH not a valid
    branch.
    """
    branch = environment.get("BOOK_BRANCH", "") or BRANCH
    if not _BRANCH.fullmatch(branch):
        raise ValueError(f"BOOK_BRANCH is {branch!r}; it must be a git branch without a slash, and not HEAD")
    given = environment.get("BOOK_REPOSITORY")
    if given is None:
        server, name = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_REPOSITORY", "")
        from_ci = f"{server}/{name}" if name else environment.get("CI_PROJECT_URL", "")
        url = browser_url(from_ci) or _from_git(root)
    else:
        url = browser_url(given)
        if given and not url:
            raise ValueError(
                f"BOOK_REPOSITORY is {hide_password(given)!r}; it must be the address of a repository, "
                "such as https://github.com/owner/name, or empty if there is none"
            )
    return Address(url, branch) if url else None


def browser_url(address: str) -> str | None:
    """Return the URL that a browser opens for a repository, without a password, or None if there is none.

    >>> browser_url("git@github.com:owner/name.git")
    'https://github.com/owner/name'
    >>> browser_url("https://user:secret@gitlab.com/group/part/name/")
    'https://gitlab.com/group/part/name'
    >>> browser_url("http://www.GitHub.com/owner/name/tree/main")
    'https://github.com/owner/name'
    >>> browser_url("https://gitlab.com/o/n/-/tree/main")
    'https://gitlab.com/o/n'
    >>> [browser_url(local) for local in ("/srv/git/name", "file:///srv/git/name.git", r"C:\\git\\name")]
    [None, None, None]
    """
    parts = urlsplit(_SSH.sub(r"https://\1/", address, count=1) if _SSH.match(address) else address)
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    path = _PAGE.sub("", parts.path.rstrip("/"))
    if parts.scheme not in ("http", "https") or not _PATH.fullmatch(path):
        return None
    if host == "github.com":
        return GITHUB + "/".join(path.split("/")[1:3]).removesuffix(".git")
    return f"{parts.scheme}://{host}{path.removesuffix('.git')}"


def hide_password(address: str) -> str:
    """Replace everything in an address that may be a user name or a password, for use in a message.

    >>> hide_password("https://user:se/cret@host"), hide_password("owner/name")
    ('https://…@host', 'owner/name')
    """
    return re.sub(r"^(\w+://)?.*@", r"\1…@", address, flags=re.S)


def _from_git(root: Path) -> str | None:
    """Return the remote `origin` of the repository whose top folder is `root`, if readers can open it."""
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    if not (root / ".git").exists():  # a folder in another repository
        return None
    try:
        remote = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return None
    url = browser_url(remote)
    # Not one on this machine or in a private network.
    return url if re.fullmatch(r"[\w.-]+\.[a-z]+", urlsplit(url or "").hostname or "") else None
