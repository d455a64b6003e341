"""The keys of the caches of executed notebooks, and the removal of old and corrupt caches."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from jupyter_cache import get_cache

PACKAGES = ("gpt2_teach", "explorable")
NO_OUTPUT = "sphinx_extension.py"  # changes pages, but no output of a notebook


def outputs_key(root: Path) -> str:
    """Hash, in 16 hex digits, everything that determines the outputs of all notebooks of the book in `root`.

    These are the interpreter, the code of both packages, the installed versions of the packages that
    `requirements.txt` and `requirements.lock` pin, and the variables `GPT2_TEACH_…` with the files of a
    folder that one names. MyST-NB itself compares a notebook's own code.
    """
    parts = [sys.version]
    for name, value in sorted(os.environ.items()):
        if name.startswith("GPT2_TEACH_"):
            files = sorted(Path(value).rglob("*")) if value else []
            states = [(file, file.stat()) for file in files]
            parts += [f"{name}={value}", *(f"{file} {now.st_size} {now.st_mtime_ns}" for file, now in states)]
    for package in PACKAGES:
        folder = Path(import_module(package).__path__[0])
        for file in sorted(folder.rglob("*.py")):
            if file.name != NO_OUTPUT:
                parts += [file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")]
    for pins in (root / "requirements.txt", root / "requirements.lock"):
        text = pins.read_text(encoding="utf-8") if pins.is_file() else ""
        parts += [f"{name} {_version(name)}" for name in re.findall(r"^([\w.-]+)==", text, flags=re.M)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def remove_if_corrupt(cache: Path) -> None:
    """Remove a cache that a killed build or a full disk left incomplete."""
    if not cache.is_dir():
        return
    try:
        notebooks = get_cache(cache)
        for record in notebooks.list_cache_records():
            notebooks.get_cache_bundle(record.pk)
    except Exception:  # whatever is wrong, the notebooks can be executed again
        shutil.rmtree(cache)


def prune(caches: Path, *, keep: int) -> None:
    """Remove all but the `keep` most recently used caches."""
    folders = [path for path in caches.iterdir() if path.is_dir()]
    for old in sorted(folders, key=lambda path: path.stat().st_mtime_ns)[:-keep]:
        shutil.rmtree(old)
