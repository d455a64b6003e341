"""Executes each notebook once, and again when anything that decides its outputs has changed.

MyST-NB keeps outputs by the notebook's own code, and asks no more. Here they are kept in a folder named after
all else that decides them, so that a change in a package executes every notebook again. Every notebook is
tried before the build fails, and the end names the cells that failed. Builds wait for one another. After one
that was killed, failed or warned, all pages are read again: a warning stays until it is mended.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import IO, Any

import nbformat
from execution_cache import PACKAGES, drop_torn, files, outputs_key, package_folder, prune
from machine_faults import in_words, page_being_read
from real_checkpoint import MARK, STAND_IN, settle
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError, SphinxError
from sphinx.util import console, logging

logger = logging.getLogger(__name__)

CACHES_KEPT = 3  # so that going back and forth between two versions executes nothing
# Two builds of one commit give the same pages: pictures bear no date and no random names.
KERNEL = """\
c = get_config()
c.IPKernelApp.log_level = "ERROR"  # a local kernel needs no encryption
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Date": None}}
"""
# Not among the inline backend's own settings: these are made with the first figure, and where that is drawn
# under `rc_context`, as in the package, they end with it.
PICTURES = "svg.hashsalt: shared-and-scaled\n"


class Build:
    """One build of the book, from the lock that it takes to the marks that it leaves."""

    def __init__(self) -> None:
        self.lock: IO[str] | None = None
        self.environ: dict[str, str | None] = {}

    def begin(self, app: Sphinx, config: Config) -> None:
        """Get ready, or say why not."""
        try:
            self._prepare(app, config)
        except SphinxError:
            only_the_message()
            raise
        except OSError as error:
            only_the_message()
            raise ExtensionError(in_words(error, Path(app.outdir).parent) or str(error)) from None

    def _prepare(self, app: Sphinx, config: Config) -> None:
        """Wait for other builds, clear up after one that did not finish, and choose the cache."""
        folder = Path(app.outdir).parent
        folder.mkdir(parents=True, exist_ok=True)
        self._take(folder / ".lock")

        root = Path(app.srcdir)
        caches = Path(config.nb_execution_cache_path or folder / ".jupyter_cache")
        cache = caches / outputs_key(root)
        if unfinished(app).exists():
            drop_torn(cache)
        if settle(cache, root) or unfinished(app).exists():
            (Path(app.doctreedir) / "environment.pickle").unlink(missing_ok=True)  # read every page again
        unfinished(app).touch()
        shutil.rmtree(Path(app.outdir) / "reports", ignore_errors=True)  # of errors that may be mended now
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        prune(caches, keep=CACHES_KEPT)
        # A new value of a setting, too, makes Sphinx read every page again.
        config.nb_execution_cache_path = str(cache)
        config.book_extensions = files(Path(__file__).parent, contents=True)

        # Nobody's own start-up files, and no kernel of the home folder, decide what a page shows.
        profile = folder / ".ipython" / "profile_default"
        profile.mkdir(parents=True, exist_ok=True)
        (profile / "ipython_kernel_config.py").write_text(KERNEL, encoding="utf-8")
        (profile / "matplotlibrc").write_text(PICTURES, encoding="utf-8")
        self._set("IPYTHONDIR", str(profile.parent))
        self._set("MATPLOTLIBRC", str(profile / "matplotlibrc"))
        self._set("JUPYTER_PREFER_ENV_PATH", "1")
        self._set("PYTHONHASHSEED", "0")  # sets are shown in one order
        for package in PACKAGES:
            logger.info("%s from %s", package, package_folder(package))

    def end(self, app: Sphinx, error: Exception | None) -> None:
        """Let the next build go on; mark this one as finished if nothing was wrong."""
        if error is None and not app._warncount:
            unfinished(app).unlink(missing_ok=True)
            if (Path(app.config.nb_execution_cache_path) / MARK).exists():
                logger.info("%s", STAND_IN)  # the line that said so at the start is far above by now
        if isinstance(error, SphinxError):
            only_the_message()
        for name, value in self.environ.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
        if self.lock is not None:
            self.lock.close()
        failed = error is not None or app._warncount
        if failed and (words := in_words(error, Path(app.outdir).parent, page_being_read(app))):
            only_the_message()
            raise ExtensionError(words) from None

    def _set(self, name: str, value: str) -> None:
        self.environ[name] = os.environ.get(name)
        os.environ[name] = value

    def _take(self, path: Path) -> None:
        try:
            import fcntl
        except ImportError:  # Windows: whoever builds twice at once there is on their own
            return
        self.lock = path.open("w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.info("Another build of this book is running; waiting for it to end.")
            fcntl.flock(self.lock, fcntl.LOCK_EX)


def only_the_message() -> None:
    """Let the error that ends this process stand alone: Jupyter Book's own frames would only bury it."""
    sys.tracebacklimit = 0


def unfinished(app: Sphinx) -> Path:
    """The mark of a build that is running, or did not end well."""
    return Path(app.outdir).parent / ".unfinished"


def failed_cell(notebook: Path, traceback: str) -> str:
    """Say which cell the `traceback` quotes, by its place among all cells and its id, and what it raised.

    In a page written as Markdown it is the line that the cell begins at.
    """
    plain = re.sub(r"\x1b\[[\d;]*m", "", traceback).strip()
    where = "a cell"
    if notebook.suffix == ".ipynb":
        cells = nbformat.read(notebook, as_version=4).cells
        quoted = [
            (len(cell.source), index, cell.get("id", "none"))
            for index, cell in enumerate(cells, start=1)
            if cell.cell_type == "code" and cell.source.strip() and cell.source.strip() in plain
        ]
        if quoted:
            _, index, name = max(quoted)
            where = f"cell {index} of {len(cells)} (id {name})"
    elif found := re.search(r"^-{8,}\n(.+?)\n-{8,}$", plain, flags=re.M | re.S):
        before, quote, _ = notebook.read_text(encoding="utf-8").partition(found.group(1))
        where = f"the cell at line {before.count(chr(10)) + 1}" if quote else where
    return f"{where}: {plain.splitlines()[-1]}"


def fail_on_errors(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Once every notebook was tried, fail with the list of the cells that raised."""
    failures = []
    for page, data in sorted(getattr(env, "nb_metadata", {}).items()):
        if traceback := (data.get("exec_data") or {}).get("traceback"):
            notebook = Path(env.doc2path(page))
            failures.append(f"{os.path.relpath(notebook, app.srcdir)}, {failed_cell(notebook, traceback)}")
    if failures:
        raise ExtensionError(
            "\n  ".join(["A cell raised an exception (its traceback stands above):", *failures])
        )
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    if not console.color_terminal():
        console.nocolor()
    build = Build()
    app.add_config_value(
        "book_extensions", [], "env"
    )  # a change in book/_ext makes Sphinx read every page again
    app.connect("config-inited", build.begin, priority=100)
    app.connect("env-updated", fail_on_errors)
    app.connect("build-finished", build.end, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
