"""Is the machine large enough: memory for a chapter, and a disk that takes what is downloaded."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gpt2_teach.doctor.findings import Finding

PEAK_GB = 1.5  # of the largest chapter's kernel, rounded up; `make bench` measures it
DOWNLOAD_GB = 0.6  # of GPT-2 small in Hugging Face's cache


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


def folders() -> Iterator[Finding]:
    """Where Hugging Face's library keeps things: is a folder or can be made one, can be written, has room."""
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser()
    there = next((path for path in (home, *home.parents) if path.exists()), Path())
    advice = "set HF_HOME to a folder that can be written"
    if not there.is_dir():
        yield Finding("note", f"{there} is a file, so nothing can be kept in {home}", advice)
        return
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        yield Finding("note", f"{there} cannot be written ({error.strerror})", advice)
        return
    free = shutil.disk_usage(there).free / 1e9
    if free >= DOWNLOAD_GB:
        yield Finding("ok", f"{free:.0f} GB free for downloads in {home}")
    else:
        advice = f"make room for {DOWNLOAD_GB} GB, or set HF_HOME to a folder that has it"
        yield Finding("note", f"{free:.1f} GB free in {home}", advice)
