"""How a fetching process says on standard output what happens; `hub` listens.

Each line is a JSON object. Its `event` is one of

    asks          a first, short question goes to the Hub
    moves         something moved: bytes arrived (with `file`, `n` and `total`), or were checked
    notes         something went wrong and is being tried again, as `words` say
    done          the files are there and sound, in `folder`, of `commit`
    wrong         the name or the revision is at fault, as `words` say
    unreachable   the Hub, the way to it or the cache is at fault, as `words` say
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from pathlib import Path
from typing import Any

from huggingface_hub import constants
from huggingface_hub.file_download import repo_folder_name
from huggingface_hub.utils import tqdm

_last_said = 0.0
_one_at_a_time = threading.Lock()


def say(event: str, **details: Any) -> None:
    """Say one thing to the process that waits, as a line of JSON."""
    global _last_said
    with _one_at_a_time:
        _last_said = time.monotonic()
        sys.stdout.write(json.dumps({"event": event, **details}) + "\n")
        sys.stdout.flush()


def say_moves(**details: Any) -> None:
    """That something moved; at most ten times a second."""
    if time.monotonic() - _last_said > 0.1:
        say("moves", **details)


class Arriving(tqdm):
    """Takes a progress bar's place, to say what arrives instead of drawing it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "disable": True})
        self.file = kwargs.get("desc", "").rpartition("/")[2]

    def update(self, n: float | None = 1) -> None:
        self.n += n or 0
        if n:
            say_moves(file=self.file, n=self.n, total=self.total)

    def update_transfer(self, n: int) -> None:
        """Bytes that came but are not on the disk yet: Xet storage counts the two apart."""
        if n:
            say_moves()

    def set_transfer_postfix_str(self, *args: Any, **kwargs: Any) -> None:
        """The speed, in words; not passed on."""


class Notes(logging.Handler):
    """Passes on what huggingface_hub warns of, such as an answer that makes it wait and ask again."""

    def emit(self, record: logging.LogRecord) -> None:
        say("notes", words=record.getMessage().partition("\n")[0])


def watch_others(name: str) -> None:
    """Say, for ever, when bytes move because another process, whose lock we wait for, fetches the files."""
    blobs = Path(constants.HF_HUB_CACHE) / repo_folder_name(repo_id=name, repo_type="model") / "blobs"
    before = 0
    while True:
        time.sleep(1)
        try:
            now = sum(part.stat().st_size for part in blobs.glob("*.incomplete"))
        except OSError:  # moved to its place between the two calls
            continue
        if now > before and time.monotonic() - _last_said > 1.5:  # else it was our own download
            say("moves")
        before = now
