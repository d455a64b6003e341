"""A JupyterLab of our own: in a folder, with nobody's settings, and gone afterwards with its kernels."""

from __future__ import annotations

import json
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

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
    "--LabApp.news_url=None",  # it asks no other host for news, updates or extensions
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
PATIENCE = 120  # seconds until it must have started; a machine that does much else is slow


def _address(runtime: Path, token: str, process: subprocess.Popen[str]) -> str:
    """Where it can be reached, once it answers."""
    for _ in range(PATIENCE * 5):
        if process.poll() is not None:
            break
        with suppress(OSError, URLError, ValueError, StopIteration):
            server = json.loads(next(runtime.glob("jpserver-*.json")).read_text(encoding="utf-8"))
            address = f"http://127.0.0.1:{server['port']}"
            with urlopen(Request(f"{address}/api/status", headers={"Authorization": f"token {token}"})):
                return address
        time.sleep(0.2)
    raise RuntimeError("JupyterLab did not start")


def _end(process: subprocess.Popen[str], address: str | None, token: str) -> None:
    """Ask it to end its kernels and itself; where it does not, end it. A kernel ends with its server."""
    if address is not None:
        with suppress(OSError):
            headers = {"Authorization": f"token {token}"}
            urlopen(Request(f"{address}/api/shutdown", data=b"", headers=headers), timeout=20).close()
    else:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def lab(folder: Path, settings: Path) -> Iterator[tuple[str, str]]:
    """The address and the token of a JupyterLab on that folder; its own files go to `settings`."""
    token = secrets.token_hex(16)
    own = {name: str(settings / name.lower()) for name in FOLDERS}
    log = settings / "log.txt"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--IdentityProvider.token={token}", "--port=0"],
            cwd=folder,
            env=environment(PYTHONPATH=str(ROOT), JUPYTER_PREFER_ENV_PATH="1", **own),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
        )
        address = None
        try:
            address = _address(Path(own["JUPYTER_RUNTIME_DIR"]), token, process)
            yield address, token
        except RuntimeError as error:
            error.add_note(log.read_text(encoding="utf-8")[-3000:])
            raise
        finally:
            _end(process, address, token)


@contextmanager
def all_run(
    browser: Browser, folder: Path, settings: Path, cells: list[nbformat.NotebookNode]
) -> Iterator[Visit]:
    """A notebook of these cells, open in JupyterLab, all of them run by the menu."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "live.ipynb")
    with lab(folder, settings) as (address, token):
        url = f"{address}/lab/tree/live.ipynb?token={token}"
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
