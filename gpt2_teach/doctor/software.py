"""Check the software: Python, this package, its dependencies, a Jupyter kernel and PyTorch."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from gpt2_teach.doctor.findings import (
    PACKAGE_PARENT,
    Finding,
    install_command,
    is_book_folder,
    last_line,
    run_python,
)

TORCH_SECONDS = 300.0  # generous, for slow machines


class Requirements(NamedTuple):
    """The Python version and the packages that this package requires."""

    python: str
    packages: list[str]


def requirements() -> Requirements | None:
    """Read the requirements from installed metadata or pyproject.toml; return None if neither exists."""
    try:
        python = importlib.metadata.metadata("gpt2-teach")["Requires-Python"]
        return Requirements(python, importlib.metadata.requires("gpt2-teach") or [])
    except importlib.metadata.PackageNotFoundError:
        pass
    try:
        import tomllib

        project = tomllib.loads((PACKAGE_PARENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return Requirements(project["requires-python"], project["dependencies"])
    except (ImportError, OSError, LookupError):  # an old Python without tomllib, or no pyproject.toml
        return None


def python() -> Iterator[Finding]:
    """Check the version of Python."""
    found = ".".join(map(str, sys.version_info[:3]))
    required = requirements()
    minimum = tuple(map(int, re.findall(r"\d+", required.python if required else "")))
    if required and sys.version_info[: len(minimum)] < minimum:
        yield Finding(
            "fault", f"Python {found} is too old: {required.python} is required", "install a newer Python"
        )
    else:
        yield Finding("ok", f"Python {found}, in {sys.prefix}")


def package() -> Iterator[Finding]:
    """Check that the package is installed, so that notebooks in any folder can import it."""
    try:
        yield Finding("ok", f"gpt2-teach {importlib.metadata.version('gpt2-teach')}")
    except importlib.metadata.PackageNotFoundError:
        advice = "install it as described in 'Run it yourself' in the book"
        if is_book_folder(PACKAGE_PARENT):
            advice = install_command(())
        what = f"gpt2-teach is not installed (the copy in {PACKAGE_PARENT} is importable only from there)"
        yield Finding("fault", what, advice)


def packages() -> Iterator[Finding]:
    """Check that every required package and a Jupyter kernel are installed in an allowed version."""
    required = requirements()
    if required is None:
        yield Finding("skip", "packages: not checked, because no pyproject.toml lists the requirements")
    faults, lines = [], []
    for line in [*(required.packages if required else []), "ipykernel"]:
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        found = version(name)
        if found is None:
            purpose = " (notebooks run in it)" if name == "ipykernel" else ""
            faults.append(Finding("fault", f"{name} is missing{purpose}", unusable=name))
            lines.append(line)
        elif allowed := _violated_specifier(line, found):
            faults.append(Finding("fault", f"{name} is {found}, but must be {allowed}", unusable=name))
            lines.append(line)
        else:
            yield Finding("ok", f"{name} {found}")
    yield from faults[:-1]
    if faults:  # one command for all of them
        yield faults[-1]._replace(advice=install_command(lines))


def notebooks() -> Iterator[Finding]:
    """Check for an application that opens notebooks."""
    for name in ("jupyterlab", "notebook"):
        if found := version(name):
            yield Finding("ok", f"{name} {found}")
            return
    what = "neither JupyterLab nor Notebook is installed (an editor that runs notebooks works, too)"
    yield Finding("note", what, install_command(["jupyterlab"]))


def torch_works() -> Iterator[Finding]:
    """Check that PyTorch can multiply matrices, in a child process because it may crash."""
    code = "import torch; a = torch.ones(2, 2); print((a @ a).sum().item())"
    done = run_python("-c", code, seconds=TORCH_SECONDS)
    if done is not None and last_line(done.stdout) == "8.0":
        yield Finding("ok", "PyTorch works")
        return
    if done is None:
        problem = f"no result within {TORCH_SECONDS:.0f} s"
    else:
        problem = last_line(done.stderr) or f"it crashed (exit code {done.returncode})"
    pin = f"torch=={(version('torch') or '').partition('+')[0]}"
    advice = f"{sys.executable} -m pip install --force-reinstall --no-deps '{pin}'"
    yield Finding("fault", f"PyTorch does not work: {problem}", advice, unusable="torch")


def version(name: str) -> str | None:
    """Return the version of an installed package, or None if it is missing."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _violated_specifier(line: str, found: str) -> str:
    """Return the specifier that `found` violates; empty if there is none or packaging is not installed."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return ""
    allowed = Requirement(line).specifier
    return "" if allowed.contains(found, prereleases=True) else str(allowed)
