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
from urllib.parse import quote, urlsplit

BRANCH = "release"
INTRODUCTION = "book/intro.md"  # what JupyterLab opens first
# Of what git takes for a branch, what needs no quoting in a link; HEAD would push what is checked out.
_BRANCH = re.compile(r"(?!HEAD$|.*\.\.|.*\.lock$)\w[\w.-]*(?<!\.)", flags=re.I)
_PUBLIC = re.compile(r"(?P<scheme>https?)://(?P<host>[\w.-]+(:\d+)?)/(?P<path>[\w.~-]+(/[\w.~-]+)+)")
# What git accepts for the same place: ssh://git@host/owner/name, and git@host:owner/name.
_SSH = re.compile(
    r"(?:(?:ssh|git)://(?:[\w.-]+@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[\w.-]+@)?(?P<short>[\w-]+(?:\.[\w-]+)+):)"
    r"(?P<path>[^:]+)"
)
# What a browser shows within a repository, on GitLab and on Forgejo; on GitHub, all beneath owner and name.
_WITHIN = re.compile(r"/(?:-|src/(?:branch|commit|tag))(?:/.*)?$")


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

    @property
    def _name(self) -> str:
        """OWNER/NAME, on GitHub."""
        return self.url.removeprefix("https://github.com/")

    def binder(self, path: str) -> str:
        """Opens JupyterLab on a file, on the public Binder."""
        place = f"gh/{self._name}" if self.on_github else f"git/{quote(self.url, safe='')}"
        return f"https://mybinder.org/v2/{place}/{self.branch}?urlpath=lab/tree/{path}"

    def colab(self, path: str) -> str:
        """Opens a notebook on Colab; only where `on_github`."""
        return f"https://colab.research.google.com/github/{self._name}/blob/{self.branch}/{path}"

    def codespace(self) -> str:
        """Makes a codespace; only where `on_github`."""
        return f"https://codespaces.new/{self._name}/tree/{self.branch}"


def find(root: Path, environment: Mapping[str, str] = os.environ) -> Address | None:
    """The address of the repository in `root`, or None where it is not known.

    Raises ValueError if BOOK_REPOSITORY is no address of a repository, or BOOK_BRANCH no name of a branch.
    """
    branch = environment.get("BOOK_BRANCH", "") or BRANCH
    if not _BRANCH.fullmatch(branch):
        raise ValueError(
            f"BOOK_BRANCH is {branch!r}; it must name a branch that git allows, other than HEAD and "
            f"without a slash, such as {BRANCH!r}"
        )
    if "BOOK_REPOSITORY" in environment:
        said = environment["BOOK_REPOSITORY"]
        url = public(said) if said else None
        if said and not url:
            raise ValueError(
                f"BOOK_REPOSITORY is {without_password(said)!r}; it must be the address of a repository, "
                "such as https://github.com/owner/name, or empty where there is none"
            )
        return Address(url, branch) if url else None
    url = public(_from_ci(environment)) or _from_git(root)
    return Address(url, branch) if url else None


def public(said: str) -> str | None:
    """The address as a browser opens it, without a password that it holds; None if it is of no such kind.

    >>> public("git@github.com:owner/name.git"), public("https://user:secret@gitlab.com/group/part/name/")
    ('https://github.com/owner/name', 'https://gitlab.com/group/part/name')
    >>> public("http://www.GitHub.com/owner/name/tree/main"), public("https://gitlab.com/o/n/-/tree/main")
    ('https://github.com/owner/name', 'https://gitlab.com/o/n')
    >>> public("/srv/git/name"), public("file:///srv/git/name.git"), public(r"C:\\git\\name")
    (None, None, None)
    """
    said = re.sub(r"//[^/]*@", "//", said.strip().rstrip("/"), count=1)
    if match := _SSH.fullmatch(said):
        said = f"https://{match['host'] or match['short']}/{match['path'].lstrip('/')}"
    if not (match := _PUBLIC.fullmatch(_WITHIN.sub("", said).removesuffix(".git"))):
        return None
    scheme, host, path = match["scheme"], match["host"].lower(), match["path"]
    if host in {"github.com", "www.github.com"}:
        scheme, host = "https", "github.com"
        path = "/".join(path.split("/")[:2]).removesuffix(".git")
    return f"{scheme}://{host}/{path}"


def without_password(said: str) -> str:
    """What was said, for a message: whatever may be a name or a password is left out.

    >>> without_password("https://user:se/cret@host"), without_password("owner/name")
    ('https://…@host', 'owner/name')
    """
    return re.sub(r"^(\w+://)?.*@", r"\1…@", said, flags=re.S)


def _from_ci(environment: Mapping[str, str]) -> str:
    """GitHub's and Forgejo's variables, and GitLab's."""
    server, name = environment.get("GITHUB_SERVER_URL", ""), environment.get("GITHUB_REPOSITORY", "")
    return f"{server}/{name}" if server and name else environment.get("CI_PROJECT_URL", "")


def _from_git(root: Path) -> str | None:
    """The remote `origin` of the repository whose top is `root`: of no other that `root` may lie in."""
    if not (root / ".git").exists():
        return None
    asked = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return None
    url = public(said)
    host = (urlsplit(url).hostname or "") if url else ""
    # A remote on this machine or in a closed network leads no reader anywhere.
    return url if "." in host and not re.fullmatch(r"[\d.]+", host) else None
