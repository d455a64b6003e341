"""Measure costs, print them as one table, and store them in book/costs.yml.

    make bench                       measures every group; takes about six minutes
    make bench ARGS="walk pages"     measures some groups; the others keep their last values

Run it on an idle machine. No test asserts a time, because other processes affect every measurement.
"""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

from costs import format_cells
from costs.costs_file import COSTS_FILE, Group, load_costs, write_costs
from tabulate import tabulate

from tests.bench import build_time, notebook_memory, package_speed, page_weight, slider_speed

MEASURED = (
    package_speed.imports,
    package_speed.build,
    package_speed.forward,
    package_speed.walk,
    notebook_memory.notebooks,
    slider_speed.live,
    build_time.book,
    page_weight.pages,
    page_weight.demos,
)
GROUPS = {function.__name__: function for function in MEASURED}
NEED_SITE = {"pages", "demos"}


def machine() -> str:
    """Describe what affects times on this machine, including its load."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = "memory unknown"
    if hasattr(os, "sysconf"):
        memory = f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GB of memory"
    torch = importlib.metadata.version("torch").partition("+")[0]
    busy = f", load {os.getloadavg()[0]:.0f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"{platform.system()}, Python {platform.python_version()}"
    return f"{cores} cores, {memory}, {python}, torch {torch}{busy}"


def commit() -> str:
    """Return the commit, with a plus sign if tracked files other than the costs have changed since."""

    def git(*arguments: str) -> str:
        ran = subprocess.run(
            ["git", *arguments], cwd=notebook_memory.ROOT, capture_output=True, text=True, check=False
        )
        return ran.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", f":!{COSTS_FILE}")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + ("+" if changed else "")


def select_groups(arguments: list[str]) -> list[str]:
    """Return the groups to measure. Exits with a message if one is unknown, or cannot be measured yet."""
    unknown = sorted(set(arguments) - set(GROUPS))
    if unknown:
        sys.exit(f"unknown group {', '.join(unknown)}; the groups are: {', '.join(GROUPS)}")
    names = [name for name in GROUPS if name in arguments or not arguments]
    if NEED_SITE & set(names) and not (page_weight.SITE / "index.html").is_file():
        sys.exit(f"{' and '.join(sorted(NEED_SITE))} measure the built book: run `make book` first")
    return names


def earlier_costs(path: Path) -> dict[str, Group]:
    """Return the earlier measurements, or none if they cannot be read, since the file is rewritten anyway."""
    try:
        return load_costs(path)
    except ValueError as error:
        print(f"ignoring earlier costs: {error}", file=sys.stderr)
        return {}


def main(arguments: list[str], path: Path = notebook_memory.ROOT / COSTS_FILE) -> None:
    """Measure, write after each group, and print."""
    names = select_groups(arguments)
    groups, today, at, here = earlier_costs(path), datetime.date.today(), commit(), machine()
    for name in names:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        groups[name] = Group(today, at, here, tuple(GROUPS[name]()))
        write_costs({known: groups[known] for known in GROUPS if known in groups}, path)
    rows = [(line.what, line.peer, *format_cells(line)) for name in names for line in groups[name].lines]
    heads = ["what", "over", "ours", "peer", "ratio", "at most"]
    print(tabulate(rows, heads, "simple", disable_numparse=True, colalign=["left"] * 2 + ["right"] * 4))


if __name__ == "__main__":
    main(sys.argv[1:])
