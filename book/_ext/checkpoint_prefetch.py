"""Downloads the real GPT-2 before notebooks run, and then replaces outputs that show a stand-in.

Without a network a notebook shows a stand-in (`gpt2_teach.checkpoint`), and its outputs are cached as usual.
The cache is marked, and each later build tries again to download the checkpoint.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

STAND_IN_MARKER = ".stand-in"
STAND_IN_NOTICE = "The pages show a stand-in for GPT-2; the next build tries to download the real one again."


def notebooks_load_checkpoint(root: Path) -> bool:
    """Check whether any notebook of the book in `root` loads the checkpoint."""
    return any("load_gpt2" in path.read_text(encoding="utf-8") for path in root.glob("notebooks/*.ipynb"))


def download_checkpoint() -> str:
    """Download the checkpoint, with progress in the terminal; return a description of the result."""
    command = [sys.executable, "-P", "-m", "gpt2_teach.checkpoint.prefetch"]
    fetched = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if fetched.returncode != 0:
        raise ExtensionError("The checkpoint that this build requires could not be loaded (reason above).")
    return fetched.stdout.strip()


def prefetch_checkpoint(cache: Path, root: Path) -> bool:
    """Download the checkpoint if a notebook loads it and `cache` was not made with it.

    Returns whether `cache` was removed, because its outputs show a stand-in for the checkpoint.
    """
    marker = cache / STAND_IN_MARKER
    if not notebooks_load_checkpoint(root) or (cache.is_dir() and not marker.exists()):
        return False
    result = download_checkpoint()
    logger.info("%s", result)
    if "stand-in" in result:
        cache.mkdir(parents=True, exist_ok=True)
        marker.touch()
        return False
    if marker.exists():
        shutil.rmtree(cache)
        return True
    return False
