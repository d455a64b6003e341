"""`python -m gpt2_teach.checkpoint.ahead`: fetch the real GPT-2 before pages are made, with a bar.

While a page is made there is nobody to see how far a download is, and the page would keep its bar for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gpt2_teach.checkpoint import hub
from gpt2_teach.checkpoint.load import refuse_if_required, what_is_meant


def fetch_ahead() -> str:
    """Have what `load_gpt2()` would fetch in the cache; returns in words what there is.

    Raises CheckpointError and RuntimeError as `load_gpt2` does.
    """
    _, value, revision = what_is_meant(None, None)
    if isinstance(value, Path):
        return f"GPT-2 is read from the folder {value}."
    try:
        fetched = hub.fetch(value, revision)
    except hub.HubUnreachableError as error:
        refuse_if_required(value, str(error))
        return f"{value} could not be had: {error}. The pages will show a stand-in, and say so."
    return f"{value} is in the cache, at revision {fetched.commit}."


if __name__ == "__main__":
    try:
        sys.stdout.write(fetch_ahead() + "\n")
    except (hub.CheckpointError, RuntimeError) as error:
        sys.exit(str(error))
