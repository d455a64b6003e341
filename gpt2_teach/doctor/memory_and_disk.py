"""Check the machine: memory for a chapter, and disk space for the download."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gpt2_teach.doctor.findings import Finding

PEAK_GB = 1.5  # peak memory of the largest chapter's kernel, rounded up; `make bench` measures it
DOWNLOAD_GB = 0.6  # GPT-2 small in Hugging Face's cache


def memory() -> Iterator[Finding]:
    """Check the memory of this machine or container."""
    sizes = []
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        sizes.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for limit in map(Path, ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")):
        if limit.is_file() and (text := limit.read_text().strip()).isdigit():
            sizes.append(int(text))
    if not sizes:
        yield Finding("note", f"memory: unknown; a chapter takes up to {PEAK_GB} GB")
        return
    found = min(sizes) / 1e9
    if found >= 2 * PEAK_GB:
        yield Finding("ok", f"memory: {found:.1f} GB; a chapter takes up to {PEAK_GB} GB")
    else:
        advice = "open one chapter at a time, and shut down the kernels of the others"
        yield Finding("note", f"memory: {found:.1f} GB; a chapter takes up to {PEAK_GB} GB", advice)


def folders() -> Iterator[Finding]:
    """Check that Hugging Face's cache folder exists or can be created, is writable and has enough space."""
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser()
    existing = next((path for path in (home, *home.parents) if path.exists()), Path())
    advice = "set HF_HOME to a writable folder"
    if not existing.is_dir():
        yield Finding("note", f"{existing} is a file, so {home} cannot be created", advice)
        return
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        yield Finding("note", f"{existing} is not writable ({error.strerror})", advice)
        return
    free = shutil.disk_usage(existing).free / 1e9
    if free >= DOWNLOAD_GB:
        yield Finding("ok", f"{free:.0f} GB free for downloads in {home}")
    else:
        advice = f"free {DOWNLOAD_GB} GB, or set HF_HOME to a folder on a larger disk"
        yield Finding("note", f"{free:.1f} GB free in {home}", advice)
