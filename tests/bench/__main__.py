"""Measure what the book takes, and print it as one table.

    make bench                       measures every group; takes about six minutes
    make bench ARGS="walk pages"     measures some groups

Run it on an idle machine. No test asserts a time, because other processes affect every measurement.
"""

from __future__ import annotations

import os
import platform
import sys

from tabulate import tabulate

from tests.bench import book_and_pages, notebook_memory, package_speed

GROUPS = {
    function.__name__: function
    for function in (
        package_speed.imports,
        package_speed.build,
        package_speed.forward,
        package_speed.walk,
        package_speed.live,
        notebook_memory.notebooks,
        book_and_pages.book,
        book_and_pages.pages,
    )
}
HEADS = ["what", "over", "ours", "peer", "ratio", "at most"]


def main(groups: list[str]) -> None:
    """Measure the named groups, or all, and print them."""
    if unknown := set(groups) - set(GROUPS):
        sys.exit(f"unknown group {', '.join(sorted(unknown))}; the groups are: {', '.join(GROUPS)}")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}{load}")
    rows = []
    for name in groups or GROUPS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += [line.cells() for line in GROUPS[name]()]
    print(tabulate(rows, HEADS, "simple", disable_numparse=True, colalign=["left"] * 2 + ["right"] * 4))


if __name__ == "__main__":
    main(sys.argv[1:])
