"""Check whether this machine can run the chapters, and suggest fixes: `python -m gpt2_teach.doctor`.

It runs in plain Python: a package is imported only after a check that it is installed.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1]  # the book's folder, or site-packages
PEAK_GB = 1.5  # peak memory of the largest chapter's kernel, rounded up; `make bench` measures it
DOWNLOAD_GB = 0.6  # GPT-2 small in Hugging Face's cache


class Finding(NamedTuple):
    """One line of the report."""

    state: str  # "ok", "note" (the chapters run anyway) or "fault"
    what: str
    advice: str = ""


def check_software() -> Iterator[Finding]:
    """Check Python, this package, every package that it requires, and what notebooks need."""
    if version("gpt2-teach"):
        yield Finding("ok", f"gpt2-teach {version('gpt2-teach')}")
        python = importlib.metadata.metadata("gpt2-teach")["Requires-Python"]
        required = importlib.metadata.requires("gpt2-teach") or []
    else:
        what = f"gpt2-teach is not installed (the copy in {FOLDER} is importable only from there)"
        yield Finding("fault", what, install_command("gpt2-teach"))
        project = FOLDER / "pyproject.toml"  # read without tomllib, which an old Python does not have
        text = project.read_text(encoding="utf-8") if project.is_file() else ""
        python = "".join(re.findall('^requires-python = "(.+?)"', text, re.MULTILINE))
        required = re.findall('^    "([a-z-]+>=.+?)"', text, re.MULTILINE)
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < tuple(map(int, re.findall(r"\d+", python))):
        yield Finding("fault", f"Python {found} is too old: {python} is required", "install a newer Python")
    else:
        yield Finding("ok", f"Python {found}, in {sys.prefix}")
    for requirement in [*required, "ipykernel"]:  # the kernel that notebooks run in
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if not version(name):
            yield Finding("fault", f"{name} is missing", install_command(requirement))
        elif not allows(requirement, version(name)):
            what = f"{name} is {version(name)}, but must be {requirement[len(name) :]}"
            yield Finding("fault", what, install_command(requirement))
        else:
            yield Finding("ok", f"{name} {version(name)}")
    if not (version("jupyterlab") or version("notebook")):
        what = "neither JupyterLab nor Notebook is installed (an editor that runs notebooks works, too)"
        yield Finding("note", what, install_command("jupyterlab"))


def check_torch() -> Iterator[Finding]:
    """Check that PyTorch, if it is installed, can multiply matrices; in a child process, as it may crash."""
    if not version("torch"):
        return
    code = "import torch; a = torch.ones(2, 2); raise SystemExit((a @ a).sum().item() != 8)"
    try:
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
        yield Finding("ok", "PyTorch works")
    except subprocess.SubprocessError as error:
        problem = (getattr(error, "stderr", "") or str(error)).strip().splitlines()[-1]
        pin = f"torch=={version('torch').partition('+')[0]}"
        advice = f"{sys.executable} -m pip install --force-reinstall --no-deps '{pin}'"
        yield Finding("fault", f"PyTorch does not work: {problem}", advice)


def check_memory_and_disk() -> Iterator[Finding]:
    """Check the memory of this machine or container, and the disk space for the trained GPT-2."""
    sizes = []
    if hasattr(os, "sysconf"):  # not on Windows
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in map(Path, ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")):
        if limit.is_file():
            sizes += map(int, re.findall(r"^\d+", limit.read_text()))  # "max" without a limit
    if sizes:
        what = f"memory: {min(sizes) / 1e9:.1f} GB; a chapter takes up to {PEAK_GB} GB"
        advice = "open one chapter at a time, and shut down the kernels of the others"
        yield Finding("ok", what) if min(sizes) >= 2e9 * PEAK_GB else Finding("note", what, advice)
    cache = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser().absolute()
    existing = next(path for path in (cache, *cache.parents) if path.exists())
    if not (existing.is_dir() and os.access(existing, os.W_OK)):
        yield Finding("note", f"{existing} is not a writable folder", "set HF_HOME to a writable folder")
        return
    free = shutil.disk_usage(existing).free / 1e9
    what = f"{free:.1f} GB free for downloads in {cache}"
    advice = f"free {DOWNLOAD_GB} GB, or set HF_HOME to a folder on a larger disk"
    yield Finding("ok", what) if free >= DOWNLOAD_GB else Finding("note", what, advice)


def check_checkpoint() -> Iterator[Finding]:
    """Check where the trained GPT-2 would be loaded from and, if it is on this machine, that it loads."""
    from gpt2_teach.checkpoint.download import find_checkpoint
    from gpt2_teach.checkpoint.errors import HubUnreachableError
    from gpt2_teach.checkpoint.load import load_gpt2
    from gpt2_teach.checkpoint.model_source import NAME_VARIABLE

    value = os.environ.get(NAME_VARIABLE, "")
    if value and not (folder := Path(value).expanduser()).is_absolute() and folder.is_dir():
        what = f"{NAME_VARIABLE}={value!r} is relative to the folder in which a notebook runs"
        yield Finding("note", what, f"set it to {folder.resolve()}")
    try:
        what, found = find_checkpoint()
        if found:
            load_gpt2()
        yield Finding("ok", f"{what}, and it can be loaded" if found else what)
    except HubUnreachableError as error:
        advice = "until then, chapters that need it show a labelled stand-in with random weights"
        yield Finding("note", f"the trained GPT-2 cannot be loaded now: {error}", advice)
    except (ValueError, RuntimeError) as error:
        advice = f"see 'The real GPT-2' on the page 'Run it yourself'; check {NAME_VARIABLE} and HF_ENDPOINT"
        yield Finding("fault", f"the checkpoint: {error}", advice)


def version(name: str) -> str:
    """Return the version of an installed package, or "" if it is missing."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def allows(requirement: str, found: str) -> bool:
    """Return whether a requirement such as `torch>=2.4` allows a version; True if packaging is missing."""
    if not version("packaging"):
        return True
    from packaging.requirements import Requirement

    return Requirement(requirement).specifier.contains(found, prereleases=True)


def install_command(requirement: str) -> str:
    """Return a command that installs `requirement` or, in the book's folder, all pinned requirements."""
    if (FOLDER / "requirements.txt").is_file():
        return f"in the folder {FOLDER}: {sys.executable} -m pip install -r requirements.txt"
    return f"{sys.executable} -m pip install '{requirement}'"


def main() -> int:
    """Print the report; return 1 if a chapter would not run."""
    faults, printed = 0, {""}
    for check in (check_software, check_torch, check_memory_and_disk, check_checkpoint):
        if check is check_checkpoint and faults:
            print("  -   the checkpoint: not checked, because of the faults above")
            break
        for state, what, advice in check():
            faults += state == "fault"
            print(f"{state.upper() if state == 'fault' else state:5} {what}", flush=True)
            if advice not in printed:
                printed.add(advice)
                print(f"      → {advice}", flush=True)
    print("The chapters will run here." if not faults else f"Faults to fix before the chapters run: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
