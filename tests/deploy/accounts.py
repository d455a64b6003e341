"""Unix accounts that exist while a test runs, and what a test needs to make them."""

from __future__ import annotations

import importlib.util
import os
import secrets
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

import gpt2_teach
from tests.small_books import ROOT

PROXY = ROOT / "_build/hub/node_modules/configurable-http-proxy/bin/configurable-http-proxy"
PACKAGES = ("jupyterhub", "jupyterhub_idle_culler", "nbgitpuller", "nbgrader", "pamela")
PROGRAMS = ("node", "git", "useradd", "userdel", "groupadd", "groupdel", "chpasswd", "prlimit", "setpriv")


def missing() -> str:
    """Return what is missing for a hub and how to install it; empty if nothing is missing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can make accounts and start servers as other people"
    lacking = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    lacking += [name for name in PROGRAMS if shutil.which(name) is None]
    lacking += [str(path.relative_to(ROOT)) for path in [PROXY] if not path.exists()]
    if lacking:
        return f"not installed: {', '.join(lacking)}; run `make hub-ready`"
    if subprocess.run([*accessible(), "true"], capture_output=True, check=False).returncode:
        return f"other accounts cannot run {sys.executable}, and mounts are refused"
    return ""


def accessible() -> list[str]:
    """Return a command prefix that allows child processes of other accounts to run this Python and book.

    If these are in a closed folder, such as root's home, the command sees an open folder instead that has
    only what is needed. The mounts are private to the command and end with it.
    """
    package = Path(gpt2_teach.__file__).resolve().parent.parent
    closed: dict[Path, list[Path]] = {}
    for path in sorted({Path(path).resolve() for path in (sys.prefix, sys.base_prefix, ROOT, package)}):
        for folder in [*reversed(path.parents), path]:
            if not folder.stat().st_mode & 0o001:
                closed.setdefault(folder, []).append(path)
                break
    lines = ["set -e", "umask 022", "open=$(mktemp -d)"]
    for folder, paths in closed.items():
        lines.append('mount -t tmpfs -o mode=755 tmpfs "$open"')
        for path in paths:
            inside = f'"$open"/{shlex.quote(str(path.relative_to(folder)))}'
            lines.append(f"mkdir -p {inside} && mount --bind {shlex.quote(str(path))} {inside}")
        lines.append(f'mount --rbind "$open" {shlex.quote(str(folder))} && umount --lazy "$open"')
    lines += ['rmdir "$open"', 'exec "$@"']
    private = ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines), "accessible"]
    return private if closed else []


def root(*command: str | Path, stdin: str | None = None) -> None:
    """Run a command as root; it must succeed."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)


def run_as(account: str, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command under an account, with its groups."""
    switch = ["setpriv", "--reuid", account, "--regid", account, "--init-groups", "--reset-env"]
    return subprocess.run(
        [*accessible(), *switch, *command], cwd="/", capture_output=True, text=True, check=False
    )


def public_folder(path: Path) -> Path:
    """Make a folder that every account can enter, and return it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)
    return path


@dataclass
class Accounts:
    """The accounts of a course, in groups for students and staff; `with` removes them at its end."""

    homes: Path
    students: str = field(
        default_factory=lambda: f"hub{secrets.token_hex(3)}"
    )  # the group, and the names' beginning
    passwords: dict[str, str] = field(default_factory=dict)

    @property
    def staff(self) -> str:
        """Return the other group."""
        return f"{self.students}-staff"

    def __enter__(self) -> Accounts:
        for group in (self.students, self.staff):
            root("groupadd", group)
        return self

    def add(self, name: str, group: str) -> str:
        """Make an account whose home everybody can read, as with Debian's useradd."""
        account = f"{self.students}-{name}"
        self.passwords[account] = secrets.token_urlsafe()
        home = self.homes / account
        root("useradd", "-m", "-d", home, "-s", "/bin/sh", "-K", "HOME_MODE=0755", "-G", group, account)
        root("chpasswd", stdin=f"{account}:{self.passwords[account]}\n")
        return account

    def processes(self) -> list[psutil.Process]:
        """Return the processes of these accounts."""
        return [p for p in psutil.process_iter(["username"]) if p.info["username"] in self.passwords]

    def memory(self, named: str = "") -> int:
        """Return the bytes used by all processes, or by those with `named` in their command line."""
        total = 0
        for process in self.processes():
            with suppress(psutil.Error):
                if named in " ".join(process.cmdline()):
                    total += process.memory_full_info().pss
        return total

    def __exit__(self, *_: object) -> None:
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(self.processes(), timeout=30)
        for account in self.passwords:
            root("userdel", "--force", account)
        for group in (self.students, self.staff):
            root("groupdel", group)
