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
# The branch names of git that need no quoting in a URL, except HEAD, which would push what is checked out.
_BRANCH = re.compile(r"(?!HEAD$|.*\.\.|.*\.lock$)\w[\w.-]*(?<!\.)", flags=re.I)
_PUBLIC = re.compile(r"(?P<scheme>https?)://(?P<host>[\w.-]+(:\d+)?)/(?P<path>[\w.~-]+(/[\w.~-]+)+)")
# git's other forms of an address: ssh://git@host/owner/name, and git@host:owner/name.
_SSH = re.compile(
    r"(?:(?:ssh|git)://(?:[\w.-]+@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[\w.-]+@)?(?P<short>[\w-]+(?:\.[\w-]+)+):)"
    r"(?P<path>[^:]+)"
)
# Paths of pages within a repository, on GitLab and on Forgejo. On GitHub, everything after owner and name.
_WITHIN = re.compile(r"/(?:-|src/(?:branch|commit|tag))(?:/.*)?$")


@dataclass(frozen=True)
class Address:
    """A public repository, and the branch for students."""

    url: str  # https://host/owner/name
    branch: str = BRANCH

    @property
    def on_github(self) -> bool:
        """Whether the repository is on GitHub; Colab and Codespaces open no others."""
        return self.url.startswith("https://github.com/")

    @property
    def package(self) -> str:
        """The requirement from which pip installs `gpt2_teach`."""
        return f"gpt2-teach @ git+{self.url}@{self.branch}"

    @property
    def _name(self) -> str:
        """OWNER/NAME, on GitHub."""
        return self.url.removeprefix("https://github.com/")

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
        raise ValueError(
            f"BOOK_BRANCH is {branch!r}; it must be a valid git branch name without a slash, such as "
            f"{BRANCH!r}, and not HEAD"
        )
    if "BOOK_REPOSITORY" in environment:
        value = environment["BOOK_REPOSITORY"]
        url = browser_url(value) if value else None
        if value and not url:
            raise ValueError(
                f"BOOK_REPOSITORY is {hide_password(value)!r}; it must be the address of a repository, "
                "such as https://github.com/owner/name, or empty if there is none"
            )
        return Address(url, branch) if url else None
    url = browser_url(_from_ci(environment)) or _from_git(root)
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
    address = re.sub(r"//[^/]*@", "//", address.strip().rstrip("/"), count=1)
    if match := _SSH.fullmatch(address):
        address = f"https://{match['host'] or match['short']}/{match['path'].lstrip('/')}"
    if not (match := _PUBLIC.fullmatch(_WITHIN.sub("", address).removesuffix(".git"))):
        return None
    scheme, host, path = match["scheme"], match["host"].lower(), match["path"]
    if host in {"github.com", "www.github.com"}:
        scheme, host = "https", "github.com"
        path = "/".join(path.split("/")[:2]).removesuffix(".git")
    return f"{scheme}://{host}/{path}"


def hide_password(address: str) -> str:
    """Replace everything in an address that may be a user name or a password, for use in a message.

    >>> hide_password("https://user:se/cret@host"), hide_password("owner/name")
    ('https://…@host', 'owner/name')
    """
    return re.sub(r"^(\w+://)?.*@", r"\1…@", address, flags=re.S)


def _from_ci(environment: Mapping[str, str]) -> str:
    """Return the repository in the variables of GitHub and Forgejo, or of GitLab."""
    server, name = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_REPOSITORY", "")
    return f"{server}/{name}" if server and name else environment.get("CI_PROJECT_URL", "")


def _from_git(root: Path) -> str | None:
    """Return the remote `origin` of the repository whose top folder is `root`, not a parent of it."""
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        remote = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return None
    url = browser_url(remote)
    host = (urlsplit(url).hostname or "") if url else ""
    # Readers cannot open a remote on this machine or in a private network.
    return url if "." in host and not re.fullmatch(r"[\d.]+", host) else None
