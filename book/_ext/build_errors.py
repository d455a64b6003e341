"""Explains build failures that the machine causes: a full disk, a read-only folder, a kernel that died."""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from nbclient.exceptions import DeadKernelError
from sphinx.application import Sphinx

DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
NOT_WRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM}
MIN_FREE_SPACE = 2**16  # bytes; with less, a failure is taken for a full disk


def hide_traceback() -> None:
    """Show only the message of the error that ends this process, without Jupyter Book's own frames."""
    sys.tracebacklimit = 0


def explain_machine_error(error: BaseException | None, folder: Path, page: str = "") -> str | None:
    """Return what happened and what to do about it, or None if the machine is not the cause.

    The build writes to `folder` and was reading `page`. `error` is None if there were only warnings: Sphinx
    continues after a file that it could not write.
    """
    chain = list(_causes(error))
    os_errors = {cause.errno: cause for cause in chain if isinstance(cause, OSError)}
    full = next((os_errors[number] for number in DISK_FULL & os_errors.keys()), None)
    if full or any("disk is full" in str(cause) for cause in chain) or _is_full(folder):
        where = full and (full.filename2 or full.filename)  # filename2 is the target of a copy
        return (
            f"No space left on device: the disk that holds {where or folder} is full. "
            "Free some space and build again; incomplete files will be replaced."
        )
    denied = next((os_errors[number] for number in NOT_WRITABLE & os_errors.keys()), None)
    if denied and denied.filename:
        return f"{denied.strerror}: {denied.filename} cannot be written. Build in a writable folder."
    if any(isinstance(cause, DeadKernelError) for cause in chain):
        return (
            f"{page or 'a notebook'}: its kernel died (DeadKernelError), usually because memory ran out. "
            "`make doctor` shows how much memory a chapter needs. Close other programs and build again."
        )
    return None


def page_being_read(app: Sphinx) -> str:
    """Return the path of the page that Sphinx was reading, from the book's root, or an empty string."""
    name = getattr(app.env, "temp_data", {}).get("docname")
    return Path(app.env.doc2path(name)).relative_to(app.srcdir).as_posix() if name else ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < MIN_FREE_SPACE
    except OSError:
        return False
