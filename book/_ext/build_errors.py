"""What ends a build through no fault of the book, in words: a full disk, a closed folder, a dead kernel."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

from nbclient.exceptions import DeadKernelError
from sphinx.application import Sphinx

FULL = {errno.ENOSPC, errno.EDQUOT}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
LEAST_FREE = 2**16  # bytes; with fewer, what failed failed for want of room


def in_words(error: BaseException | None, folder: Path, page: str = "") -> str | None:
    """What happened and what to do about it; None if it was no fault of the machine.

    `folder` is where the build writes, `page` the file that was being read. Without an error there were
    warnings, since Sphinx goes on after a file that it could not write.
    """
    chain = list(_causes(error))
    numbered = {cause.errno: cause for cause in chain if isinstance(cause, OSError)}
    full = next((numbered[number] for number in FULL & numbered.keys()), None)
    if full or any("disk is full" in str(cause) for cause in chain) or _full(folder):
        where = full and (full.filename2 or full.filename)  # the second is where a copy should go
        return (
            f"No space left on device: the disk that holds {where or folder} is full. "
            "Free some of it and build again; what was half written is made anew."
        )
    closed = next((numbered[number] for number in CLOSED & numbered.keys()), None)
    if closed and closed.filename:
        return f"{closed.strerror}: {closed.filename} cannot be written. Build in a folder that is yours."
    if any(isinstance(cause, DeadKernelError) for cause in chain):
        return (
            f"{page or 'a notebook'}: its kernel died (DeadKernelError). Mostly the system ended it because "
            "memory ran out: `make doctor` says how much a chapter takes. Close what else runs, build again."
        )
    return None


def page_being_read(app: Sphinx) -> str:
    """The file of the page that Sphinx was reading, from the book's root; empty if none."""
    name = getattr(app.env, "temp_data", {}).get("docname")
    return Path(app.env.doc2path(name)).relative_to(app.srcdir).as_posix() if name else ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < LEAST_FREE
    except OSError:
        return False
