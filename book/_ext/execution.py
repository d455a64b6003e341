"""Executes each notebook once, and again when anything that determines its outputs has changed.

MyST-NB caches outputs by the notebook's own code only. Here the cache is in a folder named after everything
else that determines them (`execution_cache`), so that a change in a package executes every notebook again.
Simultaneous builds wait for one another. After a build that was killed, failed or warned, all pages are read
again, so that a warning is repeated until its cause is fixed.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import IO, Any

from build_errors import explain_machine_error, hide_traceback, page_being_read
from checkpoint_prefetch import STAND_IN_MARKER, STAND_IN_NOTICE, prefetch_checkpoint
from execution_cache import (
    PACKAGES,
    hash_files,
    outputs_key,
    package_folder,
    prune,
    remove_corrupt_entries,
)
from failed_cells import fail_on_failed_cells
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError, SphinxError
from sphinx.util import console, logging

logger = logging.getLogger(__name__)

CACHES_KEPT = 3  # so that switching between versions executes nothing
# Two builds of one commit give the same pages: pictures contain no date and no random names.
KERNEL_CONFIG = """\
c = get_config()
c.IPKernelApp.log_level = "ERROR"  # a local kernel needs no encryption
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Date": None}}
"""
# Not a setting of the inline backend: it applies its settings with the first figure, and if that is drawn in
# an `rc_context`, as in the package, they are lost with it.
MATPLOTLIBRC = "svg.hashsalt: shared-and-scaled\n"


class Build:
    """One build of the book: its lock, its environment variables and its marker files."""

    def __init__(self) -> None:
        self.lock: IO[str] | None = None
        self.environ: dict[str, str | None] = {}

    def begin(self, app: Sphinx, config: Config) -> None:
        """Prepare the build, and explain a failure to do so."""
        try:
            self._prepare(app, config)
        except SphinxError:
            hide_traceback()
            raise
        except OSError as error:
            hide_traceback()
            raise ExtensionError(
                explain_machine_error(error, Path(app.outdir).parent) or str(error)
            ) from None

    def _prepare(self, app: Sphinx, config: Config) -> None:
        """Wait for other builds, clean up after one that did not finish, and choose the cache."""
        folder = Path(app.outdir).parent
        folder.mkdir(parents=True, exist_ok=True)
        self._acquire_lock(folder / ".lock")

        root = Path(app.srcdir)
        caches = Path(config.nb_execution_cache_path or folder / ".jupyter_cache")
        cache = caches / outputs_key(root)
        if unfinished_marker(app).exists():
            remove_corrupt_entries(cache)
        if prefetch_checkpoint(cache, root) or unfinished_marker(app).exists():
            (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)  # read every page again
        unfinished_marker(app).touch()
        shutil.rmtree(Path(app.outdir) / "reports", ignore_errors=True)  # of errors of an earlier build
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        prune(caches, keep=CACHES_KEPT)
        # A changed setting also makes Sphinx read every page again.
        config.nb_execution_cache_path = str(cache)
        config.book_extensions = hash_files(Path(__file__).parent, contents=True)

        # A user's start-up files and kernels must not affect the pages.
        profile = folder / ".ipython" / "profile_default"
        profile.mkdir(parents=True, exist_ok=True)
        (profile / "ipython_kernel_config.py").write_text(KERNEL_CONFIG, encoding="utf-8")
        (profile / "matplotlibrc").write_text(MATPLOTLIBRC, encoding="utf-8")
        self._set("IPYTHONDIR", str(profile.parent))
        self._set("MATPLOTLIBRC", str(profile / "matplotlibrc"))
        self._set("JUPYTER_PREFER_ENV_PATH", "1")
        self._set("PYTHONHASHSEED", "0")  # fixes the order of sets in outputs
        for package in PACKAGES:
            logger.info("%s from %s", package, package_folder(package))

    def end(self, app: Sphinx, error: Exception | None) -> None:
        """Restore the environment, release the lock, and mark a successful build as finished."""
        if error is None and not app._warncount:
            unfinished_marker(app).unlink(missing_ok=True)
            if (Path(app.config.nb_execution_cache_path) / STAND_IN_MARKER).exists():
                logger.info("%s", STAND_IN_NOTICE)  # repeated here: the first notice is far above
        if isinstance(error, SphinxError):
            hide_traceback()
        for name, value in self.environ.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
        if self.lock is not None:
            self.lock.close()
        failed, folder = error is not None or app._warncount, Path(app.outdir).parent
        if failed and (explanation := explain_machine_error(error, folder, page_being_read(app))):
            hide_traceback()
            raise ExtensionError(explanation) from None

    def _set(self, name: str, value: str) -> None:
        self.environ[name] = os.environ.get(name)
        os.environ[name] = value

    def _acquire_lock(self, path: Path) -> None:
        try:
            import fcntl
        except ImportError:  # on Windows simultaneous builds are not supported
            return
        self.lock = path.open("w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.info("Another build of this book is running; waiting for it to end.")
            fcntl.flock(self.lock, fcntl.LOCK_EX)


def unfinished_marker(app: Sphinx) -> Path:
    """Return the marker file of a build that is running or failed."""
    return Path(app.outdir).parent / ".unfinished"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    if not console.color_terminal():
        console.nocolor()
    build = Build()
    app.add_config_value(
        "book_extensions", [], "env"
    )  # a change in book/_ext makes Sphinx read all pages again
    app.connect("config-inited", build.begin, priority=100)
    app.connect("env-updated", fail_on_failed_cells)
    app.connect("build-finished", build.end, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
