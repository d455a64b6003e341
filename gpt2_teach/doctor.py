"""`python -m gpt2_teach.doctor`: whether this machine can run the chapters, and what to do where it cannot.

It imports nothing that may be missing before it has looked, and what may hang runs in a process of its own.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

PEAK_GB = 1.5  # of the largest chapter's kernel, rounded up; `make bench` measures it
DOWNLOAD_GB = 0.6  # of GPT-2 small in Hugging Face's cache
HUB_SECONDS, TORCH_SECONDS = 30.0, 300.0  # more than a slow machine needs
NAME_VARIABLE = "GPT2_TEACH_CHECKPOINT"

AT_HAND = """
from gpt2_teach.checkpoint.at_hand import at_hand
found, words = at_hand()
print("ok" if found else "no", words)
"""
MARKS = {"ok": "  ok ", "note": "note ", "fault": "FAULT"}


class Finding(NamedTuple):
    """One line of the report: what was looked at, and how it stands."""

    state: Literal["ok", "note", "fault"]  # a note leaves the chapters running
    what: str
    advice: str = ""


def python() -> Iterator[Finding]:
    """This Python against what the package asks for."""
    wanted = importlib.metadata.metadata("gpt2-teach")["Requires-Python"]
    floor = tuple(map(int, re.findall(r"\d+", wanted)))
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[: len(floor)] >= floor:
        yield Finding("ok", f"Python {found}, in {sys.prefix}")
    else:
        yield Finding("fault", f"Python {found} is too old: {wanted} is needed", "install a newer Python")


def packages() -> Iterator[Finding]:
    """Every package that ours needs: there, and of a version that will do."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        yield Finding("fault", "the package packaging is missing", _install("packaging"))
        return
    for line in importlib.metadata.requires("gpt2-teach") or []:
        wanted = Requirement(line)
        try:
            found = importlib.metadata.version(wanted.name)
        except importlib.metadata.PackageNotFoundError:
            yield Finding("fault", f"{wanted.name} is missing", _install(line))
            continue
        if wanted.specifier.contains(found, prereleases=True):
            yield Finding("ok", f"{wanted.name} {found}")
        else:
            yield Finding("fault", f"{wanted.name} is {found}, not {wanted.specifier}", _install(line))


def torch_works() -> Iterator[Finding]:
    """A product of two matrices, in a process that may crash."""
    done = _run("import torch; a = torch.ones(2, 2); print((a @ a).sum().item())", TORCH_SECONDS)
    if done is not None and _last(done.stdout) == "8.0":
        yield Finding("ok", "PyTorch computes")
    else:
        said = (
            f"nothing in {TORCH_SECONDS:.0f} seconds" if done is None else _last(done.stderr) or "it crashed"
        )
        yield Finding("fault", f"PyTorch does not work here: {said}", _install("--force-reinstall torch"))


def memory() -> Iterator[Finding]:
    """What this machine, or the container that we are in, has."""
    sizes = []
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in map(Path, ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")):
        if limit.is_file() and (text := limit.read_text().strip()).isdigit():
            sizes.append(int(text))
    if not sizes:
        yield Finding("note", f"memory: not known here; a chapter takes up to {PEAK_GB} GB")
        return
    found = min(sizes) / 1e9
    if found >= 2 * PEAK_GB:
        yield Finding("ok", f"memory: {found:.1f} GB; a chapter takes up to {PEAK_GB} GB")
    else:
        advice = "keep one chapter open at a time, and stop the kernels of the others"
        yield Finding("note", f"memory: {found:.1f} GB, and a chapter takes up to {PEAK_GB} GB", advice)


def checkpoint() -> Iterator[Finding]:
    """Where the trained GPT-2 would come from."""
    stand_in = "a chapter that wants it shows a stand-in with random weights, and says so"
    done = _run(AT_HAND, HUB_SECONDS)
    if done is None:
        yield Finding(
            "note", f"the Hub did not answer in {HUB_SECONDS:.0f} seconds", f"until it does, {stand_in}"
        )
    elif done.returncode:
        said = _last(done.stderr).partition(": ")[2]
        yield Finding("fault", f"the checkpoint: {said}", f"mend or unset {NAME_VARIABLE}; see book/run.md")
    elif (said := _last(done.stdout)).startswith("no "):
        yield Finding("note", said.removeprefix("no "), f"until then, {stand_in}")
    else:
        yield Finding("ok", said.removeprefix("ok "))


def folders() -> Iterator[Finding]:
    """Where Hugging Face's library and matplotlib keep things: can be written, and has room."""
    home = Path(os.environ.get("HF_HOME") or Path("~/.cache/huggingface").expanduser())
    there = next((folder for folder in (home, *home.parents) if folder.is_dir()), Path())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        advice = "set HF_HOME to a folder that can be"
        yield Finding("note", f"{there} cannot be written ({error.strerror})", advice)
        return
    free = shutil.disk_usage(there).free / 1e9
    if free >= DOWNLOAD_GB:
        yield Finding("ok", f"{free:.0f} GB free for downloads in {home}")
    else:
        advice = f"make room for {DOWNLOAD_GB} GB, or set HF_HOME to a folder that has it"
        yield Finding("note", f"{free:.1f} GB free in {home}", advice)


def _run(code: str, seconds: float) -> subprocess.CompletedProcess[str] | None:
    """What a Python of its own says to `code`; None if it had to be ended."""
    try:
        return subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None


def _last(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def _install(what: str) -> str:
    return f"{sys.executable} -m pip install " + (what if what.startswith("-") else f"'{what}'")


CHECKS = (python, packages, torch_works, memory, folders, checkpoint)


def main() -> int:
    """Print the report; 1 if a chapter would not run."""
    found = []
    for check in CHECKS:
        for finding in check():
            found.append(finding)
            print(f"{MARKS[finding.state]} {finding.what}", flush=True)
            if finding.advice:
                print(f"      → {finding.advice}", flush=True)
    faults = sum(finding.state == "fault" for finding in found)
    print("The chapters will run here." if not faults else f"To be mended before the chapters run: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
