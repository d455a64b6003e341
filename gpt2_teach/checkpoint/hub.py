"""Fetch the files of a GPT-2 from the Hugging Face Hub, or find out soon that they cannot be had.

`from_pretrained` alone waits 23 seconds without a network, and minutes for a Hub that hangs. Here whatever
is already in Hugging Face's cache is used without a question; otherwise the Hub has a few seconds to answer
at all, and after that is given up only when not one byte has moved for a while. A slow download is no fault.
The waiting is done by `fetch`, in a process of its own, which can be ended in any state.
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

from gpt2_teach.checkpoint.progress import Bar

START_SECONDS = 60.0  # for Python to start: a matter of this machine, not of the Hub
ANSWER_SECONDS = 8.0  # for the Hub to answer the first question
SILENCE_SECONDS = 12.0  # without one byte, at any time after that


Messages: TypeAlias = "queue.SimpleQueue[dict[str, Any]]"


class CheckpointError(ValueError):
    """The checkpoint that was asked for does not exist, is incomplete, or is no GPT-2."""


class HubUnreachableError(ConnectionError):
    """The Hub, the way to it, or the cache does not work; the message says which."""


@dataclass(frozen=True)
class Fetched:
    """A folder of Hugging Face's cache with `config.json` and the weights, and the commit they are of."""

    folder: Path
    commit: str


def fetch(name: str, revision: str | None = None) -> Fetched:
    """Files of the model `name` at `revision` (a commit, branch or tag; `main` if None), fetched if need be.

    `HF_ENDPOINT`, `HF_HOME`, `HF_TOKEN`, `HF_HUB_OFFLINE` and the proxy variables mean what they mean to
    huggingface_hub. A download shows a progress bar on standard error, or as a widget in a notebook;
    on a page of the book, which would keep it, it shows none (see `ahead`).

    Raises:
        CheckpointError: the Hub says that there is no such model or revision, or the model is no GPT-2 or has
            no safetensors file.
        HubUnreachableError: the Hub does not answer, or not sensibly, or falls silent; or the cache cannot be
            written.
    """
    revision = revision or "main"
    try:
        return _ask(name, revision)
    except HubUnreachableError:
        if re.fullmatch("[0-9a-f]{40}", revision):
            raise  # then the cache has been looked into first
        try:
            return _ask(name, revision, HF_HUB_OFFLINE="1")  # what the branch was when it was last fetched
        except HubUnreachableError:
            pass
        raise


def _ask(name: str, revision: str, **environment: str) -> Fetched:
    with ExitStack() as stack:
        messages = stack.enter_context(_process(name, revision, environment))
        bar = stack.enter_context(Bar())
        waits_for, limit, note = "for this machine to start Python", START_SECONDS, ""
        deadline = time.monotonic() + limit
        while True:
            try:
                message = messages.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise HubUnreachableError(f"waited {limit:g} seconds {waits_for}, in vain{note}") from None
            match message["event"]:
                case "done":
                    return Fetched(Path(message["folder"]), message["commit"])
                case "wrong":
                    raise CheckpointError(f"{name} {message['words']}")
                case "unreachable":
                    raise HubUnreachableError(message["words"])
                case "notes":
                    note = f" (last heard: {message['words']})"
                    continue  # no progress: the deadline stays
                case "asks":
                    waits_for, limit = "for the Hub to answer", ANSWER_SECONDS
                case "moves":
                    waits_for, limit, note = "for another byte from the Hub", SILENCE_SECONDS, ""
                    bar.show(message)
            deadline = time.monotonic() + limit


def package_path() -> list[str]:
    """Where the fetching process shall look for this very package, installed or not, and then for others."""
    return [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]


@contextmanager
def _process(name: str, revision: str, environment: dict[str, str]) -> Iterator[Messages]:
    """What `checkpoint.fetch` says, as it says it; its process ends with the `with` block at the latest."""
    defaults = {
        "HF_HUB_DISABLE_TELEMETRY": "1",  # one request less to wait for
        "HF_HUB_DOWNLOAD_TIMEOUT": "7",  # so that a dead connection is taken up again before we give up
    }
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gpt2_teach.checkpoint.fetch", name, revision],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a page is no place for another library's log; what counts comes as words
        text=True,
        env={**defaults, **os.environ, **environment, "PYTHONPATH": os.pathsep.join(package_path())},
    )
    assert process.stdout is not None
    messages: Messages = queue.SimpleQueue()
    listener = threading.Thread(target=_listen, args=(process.stdout, messages), daemon=True)
    listener.start()
    try:
        yield messages
    finally:
        process.terminate()
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        listener.join()
        process.stdout.close()


def _listen(lines: IO[str], messages: Messages) -> None:
    for line in lines:
        messages.put(json.loads(line))
    messages.put({"event": "unreachable", "words": "the process that fetches ended without an answer"})
