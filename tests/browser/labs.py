"""A JupyterLab of our own: in a folder, with nobody's settings, and gone afterwards with its kernels."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from playwright.sync_api import Browser

from tests.browser.visits import Visit, visiting
from tests.small_books import ROOT, environment

FOLDERS = (
    "IPYTHONDIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
)
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--port=0",
    "--LabApp.news_url=None",  # it asks no other host for news, updates or extensions
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
PATIENCE = 120  # seconds until it must have started; a machine that does much else is slow


@contextmanager
def lab(folder: Path, settings: Path) -> Iterator[str]:
    """The address, with its token, of a JupyterLab on that folder; its own files go to `settings`."""
    own = {name: str(settings / name.lower()) for name in FOLDERS}
    log = settings / "log.txt"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *OPTIONS],
            cwd=folder,
            env=environment(PYTHONPATH=str(ROOT), JUPYTER_PREFER_ENV_PATH="1", **own),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/lab\?token=\w+", log.read_text("utf-8"))):
            is_late = process.poll() is not None or time.monotonic() > deadline
            assert not is_late, log.read_text("utf-8")[-3000:]
            time.sleep(0.2)
        yield found.group()
    finally:
        process.terminate()  # it ends its kernels and itself
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def all_run(
    browser: Browser, folder: Path, settings: Path, cells: list[nbformat.NotebookNode]
) -> Iterator[Visit]:
    """A notebook of these cells, open in JupyterLab, all of them run by the menu."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "live.ipynb")
    with lab(folder, settings) as address:
        url = address.replace("/lab?", "/lab/tree/live.ipynb?")
        with visiting(browser, url, viewport={"width": 1280, "height": 1000}) as visit:
            page = visit.page
            page.set_default_timeout(90_000)
            # Asked too early, Run shows a dialog for choosing a kernel: the one that it offers will do.
            dialog = page.locator(".jp-Dialog")
            page.add_locator_handler(dialog, lambda: dialog.locator("button.jp-mod-accept").click())
            page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
            page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
            page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
            page.locator(".lm-Menu-itemLabel", has_text="Run All Cells").first.click()
            yield visit
