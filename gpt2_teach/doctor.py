"""Check whether this machine can run the chapters, and suggest fixes: `python -m gpt2_teach.doctor`.

Every package is imported only after a check that it is installed.
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

BOOK = Path(__file__).resolve().parents[1]  # the book's folder, or site-packages
PEAK_GB = 1.5  # of the largest chapter's kernel, rounded up; `make bench` measures it
DOWNLOAD_GB = 0.6  # GPT-2 small in Hugging Face's cache

Finding = tuple[str, str, str]  # "ok", "note" (which prevents nothing) or "fault"; what was found; advice


def check_software() -> Iterator[Finding]:
    """Check Python and, against the package's requirements, what is installed."""
    try:
        python = importlib.metadata.metadata("gpt2-teach")["Requires-Python"]
        required = [*(importlib.metadata.requires("gpt2-teach") or []), "ipykernel"]
        yield "ok", f"gpt2-teach {version('gpt2-teach')}", ""
    except importlib.metadata.PackageNotFoundError:
        where = f"the copy in {BOOK} can be imported only from there"
        yield "fault", f"gpt2-teach is not installed ({where})", install("gpt2-teach")
        if not (BOOK / "requirements.txt").is_file():
            return
        python = (BOOK / "pyproject.toml").read_text(encoding="utf-8").partition("requires-python")[2][:20]
        required = re.findall(r"^[\w.-]+==\S+", (BOOK / "requirements.txt").read_text(encoding="utf-8"), re.M)
    oldest = re.findall(r"\d+", python)[:2]
    if sys.version_info[:2] < tuple(map(int, oldest)):
        found = ".".join(map(str, sys.version_info[:3]))
        yield "fault", f"Python {found} is too old", f"install Python {'.'.join(oldest)} or newer"
    for requirement in required:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        found = version(name)
        if not found:
            yield "fault", f"{name} is missing", install(requirement)
        elif not allows(requirement, found):
            yield "fault", f"{name} is {found}, but must be {requirement[len(name) :]}", install(requirement)
        else:
            yield "ok", f"{name} {found}", ""
    if not version("jupyterlab") and not version("notebook"):
        yield "note", "neither JupyterLab nor Notebook is installed", install("jupyterlab")


def check_machine() -> Iterator[Finding]:
    """Check the memory of this machine or container, and the disk space for a download."""
    sizes = []
    if hasattr(os, "sysconf"):  # not on Windows
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in Path("/sys/fs/cgroup").glob("memory.max"):  # of a container
        sizes += map(int, re.findall(r"\d+", limit.read_text()))
    if sizes:
        enough = min(sizes) / 1e9 >= 2 * PEAK_GB
        what = f"memory: {min(sizes) / 1e9:.1f} GB; a chapter takes up to {PEAK_GB} GB"
        yield "ok" if enough else "note", what, "" if enough else "open one chapter at a time"
    cache = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser()
    existing = next(path for path in (cache, *cache.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        yield "note", f"downloads cannot be stored in {cache}", "set HF_HOME to a writable folder"
        return
    free = shutil.disk_usage(existing).free / 1e9
    enough = free >= DOWNLOAD_GB
    advice = "" if enough else f"free {DOWNLOAD_GB} GB, or set HF_HOME to a folder on a larger disk"
    yield "ok" if enough else "note", f"{free:.1f} GB free for downloads in {cache}", advice


def check_torch() -> Iterator[Finding]:
    """Check that PyTorch can multiply matrices, in a child process because it may crash."""
    code = "import torch; a = torch.ones(2, 2); raise SystemExit((a @ a).sum().item() != 8)"
    try:
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
        yield "ok", "PyTorch works", ""
    except subprocess.SubprocessError as error:
        problem = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1]
        pin = f"torch=={version('torch').partition('+')[0]}"
        advice = f"{sys.executable} -m pip install --force-reinstall --no-deps '{pin}'"
        yield "fault", f"PyTorch does not work: {problem}", advice


def check_checkpoint() -> Iterator[Finding]:
    """Check where the trained GPT-2 would be loaded from and, if it is on this machine, load it."""
    from gpt2_teach.checkpoint.download import find_checkpoint
    from gpt2_teach.checkpoint.errors import HubUnreachableError
    from gpt2_teach.checkpoint.load import load_gpt2

    try:
        what, folder = find_checkpoint()
        if folder is not None:
            load_gpt2(folder)
        yield "ok", what, ""
    except HubUnreachableError as error:
        yield "note", f"GPT-2 cannot be loaded now: {error}", "until then, chapters show a labelled stand-in"
    except (ValueError, RuntimeError) as error:
        advice = (
            "correct GPT2_TEACH_CHECKPOINT or HF_ENDPOINT; see 'The real GPT-2' on the page 'Run it yourself'"
        )
        yield "fault", f"the checkpoint: {error}", advice


def version(name: str) -> str:
    """Return the version of an installed package, or "" if it is missing."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def allows(requirement: str, found: str) -> bool:
    """Return whether a requirement such as `torch>=2.4` allows the version `found`."""
    if not version("packaging"):
        return True
    from packaging.requirements import Requirement

    return Requirement(requirement).specifier.contains(found, prereleases=True)


def install(requirement: str) -> str:
    """Return a command that installs a requirement or, in the book's folder, all pinned requirements."""
    if (BOOK / "requirements.txt").is_file():
        return f"in the folder {BOOK}: {sys.executable} -m pip install -r requirements.txt"
    return f"{sys.executable} -m pip install '{requirement}'"


def main() -> int:
    """Print what the checks find; return 1 if a chapter would not run."""
    faults, printed = 0, {""}
    for check in (check_software, check_machine, check_torch, check_checkpoint):
        if check is check_torch and not version("torch"):
            break
        if check is check_checkpoint and faults:
            print("  -   the checkpoint: not checked, because of the faults above")
            break
        for state, what, advice in check():
            faults += state == "fault"
            print(f"{'FAULT' if state == 'fault' else state:>5} {what}", flush=True)
            if advice not in printed:
                printed.add(advice)
                print(f"      → {advice}", flush=True)
    print("The chapters will run here." if not faults else f"Faults to fix before the chapters run: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
