"""Fetches the real GPT-2 before notebooks run, and keeps pages that show a stand-in only while there is need.

A notebook that finds no network shows a stand-in (`gpt2_teach.checkpoint`), and its outputs are kept like any
other. The cache that holds them is marked, and each later build asks whether the real one can be had by now.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

MARK = ".stand-in"
STAND_IN = "The pages show a stand-in for GPT-2; the next build asks for the real one again."


def asked_for(root: Path) -> bool:
    """Whether any notebook of the book in `root` loads the checkpoint."""
    return any("load_gpt2" in path.read_text(encoding="utf-8") for path in root.glob("notebooks/*.ipynb"))


def fetch_ahead() -> str:
    """Fetch the checkpoint, its progress shown in the terminal; return in words what there is now."""
    command = [sys.executable, "-P", "-m", "gpt2_teach.checkpoint.ahead"]
    fetched = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if fetched.returncode != 0:
        raise ExtensionError(
            "The checkpoint that this build asks for cannot be had: the reason stands above."
        )
    return fetched.stdout.strip()


def settle(cache: Path, root: Path) -> bool:
    """Before notebooks run: fetch the checkpoint if any asks for it and `cache` has not been made with it.

    Returns whether the outputs in `cache` were dropped, because they show a stand-in for what is here now.
    """
    mark = cache / MARK
    if not asked_for(root) or (cache.is_dir() and not mark.exists()):
        return False
    words = fetch_ahead()
    logger.info("%s", words)
    if "stand-in" in words:
        cache.mkdir(parents=True, exist_ok=True)
        mark.touch()
        return False
    if mark.exists():
        shutil.rmtree(cache)
        return True
    return False
