"""Downloads the real GPT-2 before notebooks run, and then replaces outputs that show a stand-in.

Without a network a notebook shows a stand-in (`gpt2_teach.checkpoint`), and its outputs are cached as usual.
The cache is marked, and each later build tries again to download the checkpoint.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.errors import ExtensionError
from sphinx.util import logging

from gpt2_teach.checkpoint.download import find_checkpoint
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError

logger = logging.getLogger(__name__)

STAND_IN_MARKER = ".stand-in"
STAND_IN_NOTICE = "The pages show a stand-in for GPT-2; the next build tries to download the real one again."


def prefetch_checkpoint(cache: Path, root: Path) -> bool:
    """Download the checkpoint if a notebook of the book in `root` loads it and `cache` was not made with it.

    Returns whether `cache` was removed, because its outputs show a stand-in for the checkpoint.
    """
    marker = cache / STAND_IN_MARKER
    loads_it = any("load_gpt2" in path.read_text(encoding="utf-8") for path in root.glob("notebooks/*.ipynb"))
    if not loads_it or (cache.is_dir() and not marker.exists()):
        return False
    try:
        logger.info("%s.", find_checkpoint(download=True)[0])
    except HubUnreachableError as error:
        logger.info("GPT-2 could not be loaded: %s. The pages will show a labelled stand-in.", error)
        cache.mkdir(parents=True, exist_ok=True)
        marker.touch()
        return False
    except (CheckpointError, RuntimeError) as error:
        raise ExtensionError(
            f"The checkpoint that this build requires could not be loaded: {error}"
        ) from error
    if marker.exists():
        shutil.rmtree(cache)
        return True
    return False
