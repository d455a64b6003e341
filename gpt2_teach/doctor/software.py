"""Is the software there: Python, this package, those that it needs, a kernel, and a PyTorch that works."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from gpt2_teach.doctor.findings import BESIDE, Finding, install, is_book, last_line, run

TORCH_SECONDS = 300.0  # more than a slow machine needs


class Asked(NamedTuple):
    """What this package asks for."""

    python: str
    packages: list[str]


def asked() -> Asked | None:
    """By the metadata of the package where it is installed, or else by the pyproject.toml beside it."""
    try:
        wanted = importlib.metadata.metadata("gpt2-teach")["Requires-Python"]
        return Asked(wanted, importlib.metadata.requires("gpt2-teach") or [])
    except importlib.metadata.PackageNotFoundError:
        pass
    try:
        import tomllib

        project = tomllib.loads((BESIDE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return Asked(project["requires-python"], project["dependencies"])
    except (ImportError, OSError, LookupError):  # an old Python, or a copy of the package alone
        return None


def python() -> Iterator[Finding]:
    """This Python against what the package asks for."""
    found = ".".join(map(str, sys.version_info[:3]))
    wanted = asked()
    floor = tuple(map(int, re.findall(r"\d+", wanted.python if wanted else "")))
    if wanted and sys.version_info[: len(floor)] < floor:
        yield Finding(
            "fault", f"Python {found} is too old: {wanted.python} is needed", "install a newer Python"
        )
    else:
        yield Finding("ok", f"Python {found}, in {sys.prefix}")


def package() -> Iterator[Finding]:
    """Whether a notebook will find this package from whatever folder it runs in."""
    try:
        yield Finding("ok", f"gpt2-teach {importlib.metadata.version('gpt2-teach')}")
    except importlib.metadata.PackageNotFoundError:
        advice = install(()) if is_book(BESIDE) else "install it as 'Run it yourself' in the book says"
        what = f"gpt2-teach is not installed (a copy in {BESIDE} is found from this folder alone)"
        yield Finding("fault", what, advice)


def packages() -> Iterator[Finding]:
    """Every package that ours needs, and a kernel: there, and of a version that will do."""
    wanted = asked()
    if wanted is None:
        yield Finding("skip", "packages: not looked at, since nothing here says which are needed")
    faults, lines = [], []
    for line in [*(wanted.packages if wanted else []), "ipykernel"]:
        name = re.split(r"[^\w.-]", line, maxsplit=1)[0]
        found = version(name)
        if found is None:
            why = ", and without it a notebook has no kernel" if name == "ipykernel" else ""
            faults.append(Finding("fault", f"{name} is missing{why}", lacks=name))
            lines.append(line)
        elif unfit := _unfit(line, found):
            faults.append(Finding("fault", f"{name} is {found}, not {unfit}", lacks=name))
            lines.append(line)
        else:
            yield Finding("ok", f"{name} {found}")
    yield from faults[:-1]
    if faults:  # one command for all, after the last
        yield faults[-1]._replace(advice=install(lines))


def notebooks() -> Iterator[Finding]:
    """Something that opens a notebook."""
    for name in ("jupyterlab", "notebook"):
        if found := version(name):
            yield Finding("ok", f"{name} {found}")
            return
    what = "neither JupyterLab nor Notebook is here (an editor that runs notebooks will do as well)"
    yield Finding("note", what, install(["jupyterlab"]))


def torch_works() -> Iterator[Finding]:
    """A product of two matrices, in a process that may crash."""
    code = "import torch; a = torch.ones(2, 2); print((a @ a).sum().item())"
    done = run("-c", code, seconds=TORCH_SECONDS)
    if done is not None and last_line(done.stdout) == "8.0":
        yield Finding("ok", "PyTorch computes")
        return
    if done is None:
        said = f"nothing in {TORCH_SECONDS:.0f} seconds"
    else:
        said = last_line(done.stderr) or f"it crashed (exit code {done.returncode})"
    pin = f"torch=={(version('torch') or '').partition('+')[0]}"
    advice = f"{sys.executable} -m pip install --force-reinstall --no-deps '{pin}'"
    yield Finding("fault", f"PyTorch does not work here: {said}", advice, lacks="torch")


def version(name: str) -> str | None:
    """Of an installed package; None if it is missing."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _unfit(line: str, found: str) -> str:
    """The versions that a requirement allows if `found` is none of them; unknown without packaging."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return ""
    allowed = Requirement(line).specifier
    return "" if allowed.contains(found, prereleases=True) else str(allowed)
