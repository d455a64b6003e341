"""The caches of executed notebooks: named after what else decides the outputs, and kept tidy."""

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
    """Return the folder that notebooks import a package from."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ExtensionError(
            f"{package} is not installed: `make book` does it, or `pip install -r requirements.txt`"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def files(folder: Path, *, contents: bool) -> list[str]:
    """A line a file: its path in the folder, and the hash of its contents or (quicker) its size and time."""
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


def versions(requirements: Path) -> list[str]:
    """A line a pinned package: the version that is really installed."""
    lines = []
    for name in re.findall(r"^([A-Za-z][\w.-]*)==", requirements.read_text(encoding="utf-8"), flags=re.M):
        try:
            lines.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            lines.append(f"{name} missing")
    return lines


def settings() -> list[str]:
    """A line an environment variable `GPT2_TEACH_…`, with the files of a folder that it names."""
    lines = []
    for name, value in sorted(os.environ.items()):
        if name.startswith("GPT2_TEACH_"):
            lines.append(f"{name}={value}")
            if value and Path(value).is_dir():
                lines += files(Path(value), contents=False)
    return lines


def outputs_key(root: Path) -> str:
    """Hash, in 16 hex digits, what decides the outputs of every notebook of the book in `root`.

    That is the interpreter, the packages' files, the installed versions of what `requirements.txt` and
    `requirements.lock` pin, and the variables `GPT2_TEACH_…`. A notebook's own code MyST-NB compares itself.
    """
    lines = [sys.version, *settings()]
    for package in PACKAGES:
        lines += files(package_folder(package), contents=True)
    for pins in (root / "requirements.txt", root / "requirements.lock"):
        lines += versions(pins) if pins.is_file() else []
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def drop_torn(cache: Path) -> None:
    """Drop from a cache what a killed build left half written, so that it is executed again."""
    if not cache.is_dir():
        return
    try:
        notebooks = get_cache(cache)
        for record in notebooks.list_cache_records():
            try:
                notebooks.get_cache_bundle(record.pk)
            except Exception:  # whatever is wrong with it, it can be made again
                notebooks.remove_cache(record.pk)
    except Exception:
        shutil.rmtree(cache)


def prune(caches: Path, *, keep: int) -> None:
    """Keep the caches that were used last."""
    folders = sorted(
        (path for path in caches.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime_ns
    )
    for old in folders[:-keep]:
        shutil.rmtree(old)
