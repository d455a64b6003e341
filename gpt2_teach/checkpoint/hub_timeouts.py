"""Download a GPT-2 from the Hugging Face Hub with time limits that detect a Hub that hangs.

`from_pretrained` alone waits 23 seconds without a network, and minutes if the Hub hangs. Here, files in
Hugging Face's cache are used without a request. Otherwise the Hub must answer the first request within
ANSWER_SECONDS, and after that a download fails only if no data arrives for SILENCE_SECONDS. A slow download
is not an error. The download runs in a child process (`download_process`), which can be terminated anytime.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.progress_bar import ProgressBar

START_SECONDS = 60.0  # for Python to start, which depends on this machine and not on the Hub
ANSWER_SECONDS = 8.0  # for the Hub to answer the first request
SILENCE_SECONDS = 12.0  # without any data, at any time after that

Events: TypeAlias = "queue.SimpleQueue[dict[str, Any]]"


@dataclass(frozen=True)
class Snapshot:
    """A folder in Hugging Face's cache that contains `config.json` and the weights, and their commit."""

    folder: Path
    commit: str


def download(name: str, revision: str | None = None) -> Snapshot:
    """Return the files of the model `name` at `revision`, downloaded if they are not in the cache.

    `HF_ENDPOINT`, `HF_HOME`, `HF_TOKEN`, `HF_HUB_OFFLINE` and the proxy variables have the same meaning as
    in huggingface_hub. A progress bar is shown on standard error, or as a widget in a notebook, but not
    while pages of the book are built: a page would keep it (see `prefetch`).

    Args:
        name: name of the model on the Hub.
        revision: a commit, branch or tag; `main` if None.

    Raises:
        CheckpointError: the Hub has no such model or revision, or the model is not a GPT-2 or has no
            safetensors file.
        HubUnreachableError: the Hub does not answer, gives an invalid answer or stops sending; or the cache
            cannot be written.
    """
    revision = revision or "main"
    try:
        return _run_download(name, revision)
    except HubUnreachableError:
        if re.fullmatch("[0-9a-f]{40}", revision):
            raise  # a commit was already looked up in the cache
        try:
            return _run_download(name, revision, HF_HUB_OFFLINE="1")  # the branch, as of the last download
        except HubUnreachableError:
            pass
        raise


def _run_download(name: str, revision: str, **environment: str) -> Snapshot:
    with ExitStack() as stack:
        events = stack.enter_context(_start_process(name, revision, environment))
        bar = stack.enter_context(ProgressBar())
        failure, limit, warning = "Python did not start on this machine within", START_SECONDS, ""
        deadline = time.monotonic() + limit
        while True:
            try:
                event = events.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise HubUnreachableError(f"{failure} {limit:g} s{warning}") from None
            match event["event"]:
                case "done":
                    return Snapshot(Path(event["folder"]), event["commit"])
                case "invalid":
                    raise CheckpointError(f"{name} {event['message']}")
                case "unreachable":
                    raise HubUnreachableError(event["message"])
                case "warning":
                    warning = f" (last warning: {event['message']})"
                    continue  # a warning is not progress, so the deadline remains
                case "request":
                    failure, limit = "the Hub did not answer within", ANSWER_SECONDS
                case "progress":
                    failure, limit, warning = "the Hub sent no data for", SILENCE_SECONDS, ""
                    bar.update(event)
            deadline = time.monotonic() + limit


def python_path() -> list[str]:
    """Return the child process's PYTHONPATH, with this package first even if it is not installed."""
    return [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]


@contextmanager
def _start_process(name: str, revision: str, environment: dict[str, str]) -> Iterator[Events]:
    """Start `download_process` and yield its events; the process is terminated when the `with` block ends."""
    defaults = {
        "HF_HUB_DISABLE_TELEMETRY": "1",  # saves a request
        "HF_HUB_DOWNLOAD_TIMEOUT": "7",  # below SILENCE_SECONDS, so that a dead connection is retried in time
    }
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gpt2_teach.checkpoint.download_process", name, revision],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # other libraries' logs do not belong on a page; warnings arrive as events
        text=True,
        env={**defaults, **os.environ, **environment, "PYTHONPATH": os.pathsep.join(python_path())},
    )
    assert process.stdout is not None
    events: Events = queue.SimpleQueue()
    reader = threading.Thread(target=_read_events, args=(process.stdout, events), daemon=True)
    reader.start()
    try:
        yield events
    finally:
        process.terminate()
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join()
        process.stdout.close()


def _read_events(lines: IO[str], events: Events) -> None:
    for line in lines:
        events.put(json.loads(line))
    events.put({"event": "unreachable", "message": "the download process ended without a result"})
