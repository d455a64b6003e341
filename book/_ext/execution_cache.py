"""The keys of the caches of executed notebooks, and the removal of old caches and corrupt entries."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

from jupyter_cache import get_cache
from sphinx.errors import ExtensionError

PACKAGES = ("gpt2_teach", "explorable")


def package_folder(package: str) -> Path:
    """Return the folder from which notebooks import a package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ExtensionError(
            f"{package} is not installed: run `make book`, or `pip install -r requirements.txt`"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def hash_files(folder: Path, *, contents: bool) -> list[str]:
    """Return a line a file: its path in the folder, and its contents' hash or (faster) its size and time."""
    lines = []
    for file in sorted(
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ):
        stat = file.stat()
        state = (
            hashlib.sha256(file.read_bytes()).hexdigest()
            if contents
            else f"{stat.st_size} {stat.st_mtime_ns}"
        )
        lines.append(f"{file.relative_to(folder).as_posix()} {state}")
    return lines


def installed_versions(requirements: Path) -> list[str]:
    """Return a line a pinned package, with its installed version."""
    lines = []
    for name in re.findall(r"^([A-Za-z][\w.-]*)==", requirements.read_text(encoding="utf-8"), flags=re.M):
        try:
            lines.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            lines.append(f"{name} missing")
    return lines


def environment_settings() -> list[str]:
    """Return a line an environment variable `GPT2_TEACH_…`, with the files of a folder that it names."""
    lines = []
    for name, value in sorted(os.environ.items()):
        if name.startswith("GPT2_TEACH_"):
            lines.append(f"{name}={value}")
            if value and Path(value).is_dir():
                lines += hash_files(Path(value), contents=False)
    return lines


def outputs_key(root: Path) -> str:
    """Hash, in 16 hex digits, everything that determines the outputs of all notebooks of the book in `root`.

    These are the interpreter, the files of both packages, the installed versions of the packages that
    `requirements.txt` and `requirements.lock` pin, and the variables `GPT2_TEACH_…`. MyST-NB itself compares
    a notebook's own code.
    """
    lines = [sys.version, *environment_settings()]
    for package in PACKAGES:
        lines += hash_files(package_folder(package), contents=True)
    for pins in (root / "requirements.txt", root / "requirements.lock"):
        lines += installed_versions(pins) if pins.is_file() else []
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def remove_corrupt_entries(cache: Path) -> None:
    """Remove the entries that a killed build left incomplete, so that their notebooks are executed again."""
    if not cache.is_dir():
        return
    try:
        notebooks = get_cache(cache)
        for record in notebooks.list_cache_records():
            try:
                notebooks.get_cache_bundle(record.pk)
            except Exception:  # any entry can be recreated
                notebooks.remove_cache(record.pk)
    except Exception:
        shutil.rmtree(cache)


def prune(caches: Path, *, keep: int) -> None:
    """Remove all but the `keep` most recently used caches."""
    folders = sorted(
        (path for path in caches.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime_ns
    )
    for old in folders[:-keep]:
        shutil.rmtree(old)
