"""Reads the files in a zip archive that a learning platform offers for download, or that a student made."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assignments.course.platform_folders import problem_set_of

MAX_FILE_BYTES = 20_000_000  # the problem sets have about 50,000
MAX_ARCHIVE_BYTES = 1_000_000_000  # read from one archive


@dataclass(frozen=True)
class FoundFile:
    """A file in the folder of submissions or in an archive there."""

    path: str
    time: str  # the latest of a student's files counts
    timestamp: str
    content: bytes | None  # None if it is larger than MAX_FILE_BYTES
    fault: str = ""


def read_zip(archive_path: Path, name: str) -> Iterator[FoundFile]:
    """Yield the files of an archive that is called `name` in reports; only problem sets are read."""
    with zipfile.ZipFile(archive_path) as archive:
        entries = [one for one in archive.infolist() if not one.is_dir() and not is_ignored(one.filename)]
        wanted = [one for one in entries if problem_set_of(PurePosixPath(one.filename))]
        if sum(min(one.file_size, MAX_FILE_BYTES) for one in wanted) > MAX_ARCHIVE_BYTES:
            yield FoundFile(name, "", "", None, f"its files exceed {MAX_ARCHIVE_BYTES:,} bytes in all")
            return
        for entry in entries:
            time = "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(*entry.date_time)
            content = None
            if entry in wanted:
                with archive.open(entry) as opened:
                    content = opened.read(MAX_FILE_BYTES + 1)  # the size that the archive states may be wrong
            too_large = content is None or len(content) > MAX_FILE_BYTES
            path = f"{name}/{printable(entry.filename)}"
            yield FoundFile(path, time, "", None if too_large else content)


def printable(name: str) -> str:
    """Replace bytes that are not valid text by U+FFFD, so that the name can be printed and stored."""
    return name.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")


def is_ignored(path: str) -> bool:
    """Return whether a platform, an operating system or Jupyter added this file to a submission."""
    parts = PurePosixPath(path).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts) or parts[-1] == "timestamp.txt"
