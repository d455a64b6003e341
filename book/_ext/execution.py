"""Executes notebooks for the book, and fails the build if a cell raised an exception.

MyST-NB caches outputs by the notebook's own code only. Here the cache is in a folder named after everything
else that determines them (`execution_cache`), so that a change in a package executes every notebook again.
Only outputs are reused: each build reads and writes all pages, so that a warning is repeated until its cause
is fixed, and nothing remains of a build that was killed or of a page that was removed. Simultaneous builds
wait for one another.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import nbformat
from checkpoint_prefetch import STAND_IN_MARKER, STAND_IN_NOTICE, prefetch_checkpoint
from execution_cache import outputs_key, prune, remove_if_corrupt
from filelock import FileLock, Timeout
from nbclient.exceptions import DeadKernelError
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

CACHES_KEPT = 3  # so that switching between versions executes nothing
MIN_FREE_SPACE = 2**16  # bytes; with less, a failure is taken for a full disk
# Two builds of one commit give the same pages: pictures contain no date and no random names.
KERNEL_CONFIG = """\
c = get_config()
c.IPKernelApp.log_level = "ERROR"  # a local kernel needs no encryption
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Date": None}}
"""
# Not a setting of the inline backend: it applies its settings with the first figure, and if that is drawn in
# an `rc_context`, as in the package, they are lost with it.
MATPLOTLIBRC = "svg.hashsalt: shared-and-scaled\n"


def begin_build(app: Sphinx, config: Config) -> None:
    """Wait for other builds, choose the cache, and isolate the kernels from the user's start-up files."""
    folder = Path(app.outdir).parent
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        logger.info("Another build of this book is running; waiting for it to end.")
        lock.acquire()
    app.connect("build-finished", lambda *_: lock.release(), priority=999)

    caches = folder / ".jupyter_cache"
    cache = caches / outputs_key(Path(app.srcdir))
    remove_if_corrupt(cache)
    prefetch_checkpoint(cache, Path(app.srcdir))
    cache.mkdir(parents=True, exist_ok=True)
    os.utime(cache)
    prune(caches, keep=CACHES_KEPT)
    config.nb_execution_cache_path = str(cache)
    shutil.rmtree(app.doctreedir, ignore_errors=True)

    profile = folder / ".ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text(KERNEL_CONFIG, encoding="utf-8")
    (profile / "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")
    os.environ |= {
        "IPYTHONDIR": str(profile.parent),
        "MATPLOTLIBRC": str(profile / "matplotlibrc"),
        "JUPYTER_PREFER_ENV_PATH": "1",  # not the kernel of another environment
        "PYTHONHASHSEED": "0",  # fixes the order of sets in outputs
    }


def fail_on_failed_cells(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Raise ExtensionError with a list of the cells that raised an exception, once all notebooks have run."""
    failures = []
    for page, data in sorted(getattr(env, "nb_metadata", {}).items()):
        if (executed := data.get("exec_data")) and executed["traceback"]:
            path = Path(app.outdir).parent / "jupyter_execute" / f"{page}.ipynb"
            failures.append(f"{env.doc2path(page, base=False)}, {_failed_cell(path) or executed['error']}")
    if failures:
        raise ExtensionError("\n  ".join(["A cell raised an exception (traceback above):", *failures]))
    return []


def _failed_cell(executed: Path) -> str:
    """Name the cell at which the execution of a notebook ended, and its exception."""
    cells = nbformat.read(executed, as_version=4).cells
    found = ""
    for number, cell in enumerate(cells, start=1):
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                found = f"cell {number} of {len(cells)} (id {cell.id}): {output.ename}: {output.evalue}"
    return found


def remove_written_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Remove what an earlier build wrote: Sphinx would leave pages and pictures that are no longer used."""
    if app.builder.format == "html":
        for name in ("_images", "_sources", "reports"):
            shutil.rmtree(Path(app.outdir) / name, ignore_errors=True)
        for page in Path(app.outdir).rglob("*.html"):
            page.unlink()
    return []


def explain_failure(app: Sphinx, error: Exception | None) -> None:
    """Say what Sphinx's messages do not: that the disk is full, or which notebook's kernel died."""
    folder = Path(app.outdir).parent
    if (error or app._warncount) and shutil.disk_usage(folder).free < MIN_FREE_SPACE:
        raise ExtensionError(f"No space left on device: the disk that holds {folder} is full.")
    if isinstance(error, DeadKernelError):
        notebook = app.env.doc2path(app.env.docname, base=False)
        raise ExtensionError(
            f"{notebook}: its kernel died (DeadKernelError), usually because memory ran out. "
            "`make doctor` shows how much memory a chapter needs. Close other programs and build again."
        )
    if (Path(app.config.nb_execution_cache_path) / STAND_IN_MARKER).exists():
        logger.info("%s", STAND_IN_NOTICE)  # repeated here: the first notice is far above


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    # Sphinx reports errors itself; Jupyter Book would add a traceback of its own.
    sys.excepthook = lambda kind, error, traceback: sys.stderr.write(f"{error}\n")
    app.connect("config-inited", begin_build, priority=100)
    app.connect("env-updated", fail_on_failed_cells)
    app.connect("env-updated", remove_written_pages)
    app.connect("build-finished", explain_failure, priority=900)
