"""Bring one GPT-2 of the Hub into Hugging Face's cache, saying on standard output how it goes.

`hub.fetch` runs this module as a process of its own. A process can be ended whatever it waits for, and a Hub
that hangs, a name server that never answers or a lock that is never released must not hold up a page; a
thread would go on waiting.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from huggingface_hub import (
    constants,
    get_hf_file_metadata,
    get_token,
    hf_hub_download,
    hf_hub_url,
    try_to_load_from_cache,
)
from safetensors import SafetensorError, safe_open

from gpt2_teach.checkpoint.fetch_report import Arriving, Notes, say, say_moves, watch_others
from gpt2_teach.checkpoint.fetch_words import BrokenError, WrongError, in_words, is_missing_file, root, status


def is_sound(path: Path) -> bool:
    """Whether a file is whole: by the checksum that it is stored under, or else by its own format."""
    blob = path.readlink().name if path.is_symlink() else ""
    if re.fullmatch("[0-9a-f]{64}", blob):
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
                say_moves()
        return digest.hexdigest() == blob
    try:
        if path.suffix == ".json":
            return isinstance(json.loads(path.read_bytes()), dict)
        with safe_open(path, framework="np"):  # compares the header with the length of the file
            return True
    except (ValueError, SafetensorError):
        return False


def collect(get: Callable[[str], Path | None]) -> Path | None:
    """Folder of a checkpoint whose files `get` finds or fetches, each by its name; None if one is missing."""
    config = get("config.json")
    if config is None:
        return None
    kind = json.loads(config.read_bytes()).get("model_type")
    if kind != "gpt2":
        raise WrongError(f"is no GPT-2: its config.json says model_type {kind!r}")
    if get("model.safetensors") is None:
        index = get("model.safetensors.index.json")
        if index is None:
            return None
        shards = sorted(set(json.loads(index.read_bytes())["weight_map"].values()))
        if any(get(shard) is None for shard in shards):
            return None
    return config.parent


class Checkpoint:
    """The files of one model at one revision: in the cache, and on the Hub."""

    def __init__(self, name: str, revision: str) -> None:
        self.name, self.revision = name, revision
        self.damaged: dict[str, Path] = {}  # found in the cache
        self.token: bool | None = None  # whichever the reader has set up

    def in_cache(self, filename: str) -> Path | None:
        found = try_to_load_from_cache(self.name, filename, revision=self.revision)
        if not isinstance(found, str):
            return None
        if not is_sound(Path(found)):
            self.damaged[filename] = Path(found)
            return None
        return Path(found)

    def ask(self) -> None:
        """One short question, not repeated: is there a Hub, and does it know this model?"""
        say("asks")
        url = hf_hub_url(self.name, "config.json", revision=self.revision)
        try:
            answer = get_hf_file_metadata(url)
        except Exception as error:
            if status(error) != 401 or get_token() is None:
                raise
            self.token = False  # a token that has run out must not close a door that is open to all
            answer = get_hf_file_metadata(url, token=False)
        if answer.commit_hash is None or answer.etag is None:
            raise BrokenError(f"what answers at {constants.ENDPOINT} is not a Hub")
        say("moves")

    def from_hub(self, filename: str) -> Path | None:
        damaged = self.damaged.get(filename)
        if damaged is not None and not damaged.is_symlink():
            damaged.unlink()  # or a new file would not be put in its place
        try:
            found = hf_hub_download(
                self.name,
                filename,
                revision=self.revision,
                token=self.token,
                tqdm_class=Arriving,
                force_download=damaged is not None,
            )
        except Exception as error:
            if is_missing_file(root(error)):
                return None
            raise
        if not is_sound(Path(found)):
            raise BrokenError(f"what {constants.ENDPOINT} sent as {filename} is damaged")
        return Path(found)

    def fetch(self) -> Path:
        folder = collect(self.in_cache)
        is_commit = re.fullmatch("[0-9a-f]{40}", self.revision)
        if folder is None or not (is_commit or constants.HF_HUB_OFFLINE):  # a branch may have moved on
            self.ask()
            threading.Thread(target=watch_others, args=(self.name,), daemon=True).start()
            folder = collect(self.from_hub)
        if folder is None:
            raise WrongError("has no model.safetensors, and no other format is read")
        return folder


def main(name: str, revision: str) -> None:
    """Fetch `name` at `revision`, and say as a last word where it is or why it cannot be had."""
    say("moves")  # Python has started
    checkpoint = Checkpoint(name, revision)
    try:
        folder = checkpoint.fetch()
    except Exception as error:
        event, words = in_words(root(error), revision)
        if checkpoint.damaged and event == "unreachable":
            files = " and ".join(checkpoint.damaged)
            words = f"{files} in the cache is damaged, and fetching it again failed: {words}"
        say(event, words=words)
    else:
        say("done", folder=str(folder), commit=folder.name)


def stop(*_: object) -> NoReturn:
    """End at a signal, so that what is held is let go."""
    sys.exit("told to stop")  # as an exception, so that huggingface_hub removes its half of a file


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    logging.getLogger("huggingface_hub").addHandler(Notes(logging.WARNING))
    # The default of 10 MB would make a slow line look dead; None hands on whatever a read brings.
    constants.DOWNLOAD_CHUNK_SIZE = None  # type: ignore[assignment]
    main(*sys.argv[1:])
