"""`python -m gpt2_teach.checkpoint.prefetch`: download GPT-2, with a progress bar, before pages are built.

During the build, a progress bar would be useless: nobody sees it, and it would remain on the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gpt2_teach.checkpoint import hub_timeouts, stand_in
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.model_source import resolve_source


def prefetch() -> str:
    """Download what `load_gpt2()` needs into the cache, and return one sentence about the result.

    Raises CheckpointError and RuntimeError as `load_gpt2` does.
    """
    _, source, revision = resolve_source()
    if isinstance(source, Path):
        return f"GPT-2 is read from the folder {source}."
    try:
        snapshot = hub_timeouts.download(source, revision)
    except HubUnreachableError as error:
        stand_in.check_allowed(source, str(error))
        return f"{source} could not be loaded: {error}. The pages will show a labelled stand-in."
    return f"{source} is in the cache, at revision {snapshot.commit}."


if __name__ == "__main__":
    try:
        sys.stdout.write(prefetch() + "\n")
    except (CheckpointError, RuntimeError) as error:
        sys.exit(str(error))
