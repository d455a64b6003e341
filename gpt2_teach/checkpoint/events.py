"""Events that the download process reports on standard output; `hub_timeouts` reads them.

Each line is a JSON object. Its `event` is one of

    request       the first, short request is sent to the Hub
    progress      bytes arrived (with `file`, `n` and `total`) or were checked
    warning       a request failed and is being retried; see `message`
    done          the files of `commit` are in `folder` and intact
    invalid       the name or the revision is wrong; see `message`
    unreachable   the Hub, the connection to it or the cache is not working; see `message`
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from typing import Any

from huggingface_hub.utils import tqdm

from gpt2_teach.checkpoint.cache import incomplete_bytes
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError

_last_report = 0.0
_lock = threading.Lock()


def report(event: str, **details: Any) -> None:
    """Write one event as a line of JSON for the parent process."""
    global _last_report
    with _lock:
        _last_report = time.monotonic()
        sys.stdout.write(json.dumps({"event": event, **details}) + "\n")
        sys.stdout.flush()


def report_progress(**details: Any) -> None:
    """Report progress, at most ten times a second."""
    if time.monotonic() - _last_report > 0.1:
        report("progress", **details)


def report_error(error: CheckpointError | HubUnreachableError, message: str) -> None:
    """Report an error as the last event."""
    report("invalid" if isinstance(error, CheckpointError) else "unreachable", message=message)


class ProgressReporter(tqdm):
    """A progress bar that reports received bytes instead of drawing itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "disable": True})
        self.file = kwargs.get("desc", "").rpartition("/")[2]

    def update(self, n: float | None = 1) -> None:
        self.n += n or 0
        if n:
            report_progress(file=self.file, n=self.n, total=self.total)

    def update_transfer(self, n: int) -> None:
        """Report received bytes that are not on disk yet: Xet storage counts the two separately."""
        if n:
            report_progress()

    def set_transfer_postfix_str(self, *args: Any, **kwargs: Any) -> None:
        """Ignore the transfer speed."""


class WarningReporter(logging.Handler):
    """Log handler that reports huggingface_hub's warnings, for example about retries."""

    def emit(self, record: logging.LogRecord) -> None:
        report("warning", message=record.getMessage().partition("\n")[0])


def watch_other_downloads(name: str) -> None:
    """Report progress, forever, while another process holds the lock and downloads the same files."""
    before = 0
    while True:
        time.sleep(1)
        try:
            now = incomplete_bytes(name)
        except OSError:  # a file was moved to its final place between the two calls
            continue
        if now > before and time.monotonic() - _last_report > 1.5:  # our own download reports more often
            report("progress")
        before = now
