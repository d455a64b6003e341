"""Checks that a test can start a real hub here, and that other accounts can run this Python."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import gpt2_teach
from tests.small_books import ROOT

PROXY = (
    ROOT / "_build" / "hub" / "node_modules" / "configurable-http-proxy" / "bin" / "configurable-http-proxy"
)
PACKAGES = ("jupyterhub", "jupyterhub_idle_culler", "nbgitpuller", "nbgrader", "pamela")
PROGRAMS = ("node", "git", "useradd", "userdel", "groupadd", "groupdel", "chpasswd", "prlimit", "setpriv")


def missing() -> str:
    """Return what is missing for a hub and how to install it; empty if nothing is missing."""
    if sys.platform != "linux":
        return "accounts, limits and mounts are tested on Linux"
    if os.geteuid() != 0:
        return "only root can make accounts and start servers as other people"
    if lacking := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
        return f"not installed: {', '.join(lacking)}; `make hub-ready` installs deploy/requirements.txt"
    if lacking := [name for name in PROGRAMS if shutil.which(name) is None]:
        return f"not on PATH: {', '.join(lacking)}; `make hub-ready` installs Debian's nodejs and npm"
    if not PROXY.exists():
        return f"no {PROXY.relative_to(ROOT)}; `make hub-ready` fetches it from npm"
    done = subprocess.run([*accessible(), "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"other accounts cannot run {sys.executable}, and mounts are refused: {done.stderr.strip()}"
    return ""


def closed_ancestor(path: Path) -> Path | None:
    """Return the outermost folder of `path` that other accounts cannot enter."""
    for folder in [*reversed(path.parents), path]:
        if not stat.S_IMODE(folder.stat().st_mode) & stat.S_IXOTH:
            return folder
    return None


def accessible() -> list[str]:
    """Return a command prefix that allows child processes of other accounts to run this Python and book.

    If these are in a closed folder, such as root's home, the command sees an open folder instead that has
    only what is needed. The mounts are private to the command and end with it.
    """
    package = Path(gpt2_teach.__file__).resolve().parent.parent
    wanted = {Path(path).resolve() for path in (sys.prefix, sys.base_prefix, ROOT, package)}
    closed: dict[Path, list[Path]] = {}
    for path in sorted(wanted):
        if folder := closed_ancestor(path):
            closed.setdefault(folder, []).append(path)
    if not closed:
        return []
    lines = ["set -e", "umask 022", "open=$(mktemp -d)"]
    for folder, paths in closed.items():
        lines.append('mount -t tmpfs -o mode=755 tmpfs "$open"')
        for path in paths:
            inside = f'"$open"/{shlex.quote(str(path.relative_to(folder)))}'
            lines.append(f"mkdir -p {inside} && mount --bind {shlex.quote(str(path))} {inside}")
        lines.append(f'mount --rbind "$open" {shlex.quote(str(folder))} && umount --lazy "$open"')
    lines += ['rmdir "$open"', 'exec "$@"']
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines), "accessible"]
