"""Measure, print one table, and keep what was measured in book/costs.yml.

    make bench                       every line; takes about six minutes
    make bench ARGS="walk pages"     some of the groups; the others stay as they were last measured

Run it on a quiet machine. Nothing is asserted by time: what else runs moves every figure.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

from costs import cells
from costs.costs_file import COSTS, Group, dump, load
from tabulate import tabulate

from tests.bench import code, memory, pages, site, sliders

MEASURED = (
    code.imports,
    code.build,
    code.forward,
    code.walk,
    memory.notebooks,
    sliders.live,
    site.book,
    pages.pages,
    pages.demos,
)
GROUPS = {function.__name__: function for function in MEASURED}
NEED_SITE = {"pages", "demos"}


def machine() -> str:
    """What decides times here, in words, and how busy it is with other things."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = "memory unknown"
    if hasattr(os, "sysconf"):
        memory = f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GB of memory"
    torch = importlib.metadata.version("torch").partition("+")[0]
    busy = f", load {os.getloadavg()[0]:.0f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"{platform.system()}, Python {platform.python_version()}"
    return f"{cores} cores, {memory}, {python}, torch {torch}{busy}"


def commit() -> str:
    """The commit that is checked out, with a plus sign if tracked files but the costs were changed since."""

    def git(*arguments: str) -> str:
        ran = subprocess.run(
            ["git", *arguments], cwd=memory.ROOT, capture_output=True, text=True, check=False
        )
        return ran.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{COSTS}")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def chosen(arguments: list[str]) -> list[str]:
    """The groups that are asked for; exits in words if one is none, or cannot be measured yet."""
    unknown = sorted(set(arguments) - set(GROUPS))
    if unknown:
        sys.exit(f"there is nothing called {', '.join(unknown)} to measure; there are: {', '.join(GROUPS)}")
    names = [name for name in GROUPS if name in arguments or not arguments]
    if NEED_SITE & set(names) and not (pages.SITE / "index.html").is_file():
        sys.exit(
            f"{' and '.join(sorted(NEED_SITE))} weigh the built book, and there is none: `make book` first"
        )
    return names


def kept(path: Path) -> dict[str, Group]:
    """What was measured before; nothing if it cannot be read, for it is about to be written anew."""
    try:
        return load(path)
    except ValueError as error:
        print(f"starting anew: {error}", file=sys.stderr)
        return {}


def main(arguments: list[str], path: Path = memory.ROOT / COSTS) -> None:
    """Measure, write after each group, and print."""
    names = chosen(arguments)
    groups, today, at, here = kept(path), datetime.date.today(), commit(), machine()
    for name in names:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        groups[name] = Group(today, at, here, tuple(GROUPS[name]()))
        dump({known: groups[known] for known in GROUPS if known in groups}, path)
    rows = [(line.what, line.peer, *cells(line)) for name in names for line in groups[name].lines]
    heads = ["what", "over", "ours", "peer", "ratio", "at most"]
    print(tabulate(rows, heads, "simple", disable_numparse=True, colalign=["left"] * 2 + ["right"] * 4))


if __name__ == "__main__":
    main(sys.argv[1:])
