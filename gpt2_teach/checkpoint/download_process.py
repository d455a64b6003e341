"""The child process that downloads a GPT-2 from the Hub into Hugging Face's cache.

`hub_timeouts.download` runs this module as `python -m`. A process can be terminated whatever it is
waiting for; a thread cannot. Thus a Hub that hangs, a name server that never answers or a lock that is never
released does not block a page.
"""

from __future__ import annotations

import logging
import re
import signal
import sys
import threading
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

from gpt2_teach.checkpoint import errors, events
from gpt2_teach.checkpoint.cache import collect_files, is_intact
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError


class Checkpoint:
    """The files of one model at one revision, in the cache and on the Hub."""

    def __init__(self, name: str, revision: str) -> None:
        self.name, self.revision = name, revision
        self.damaged: dict[str, Path] = {}  # damaged files in the cache, by name
        self.token: bool | None = None  # None: the user's token, if there is one

    def from_cache(self, filename: str) -> Path | None:
        cached = try_to_load_from_cache(self.name, filename, revision=self.revision)
        if not isinstance(cached, str):
            return None
        if not is_intact(Path(cached), events.report_progress):
            self.damaged[filename] = Path(cached)
            return None
        return Path(cached)

    def check_hub(self) -> None:
        """Check with one short request, without retries, that there is a Hub and that it has this model."""
        events.report("request")
        url = hf_hub_url(self.name, "config.json", revision=self.revision)
        try:
            metadata = get_hf_file_metadata(url)
        except Exception as error:
            if errors.http_status(error) != 401 or get_token() is None:
                raise
            self.token = False  # an expired token must not block a public model
            metadata = get_hf_file_metadata(url, token=False)
        if metadata.commit_hash is None or metadata.etag is None:
            raise HubUnreachableError(f"the server at {constants.ENDPOINT} is not a Hub")
        events.report("progress")

    def from_hub(self, filename: str) -> Path | None:
        damaged = self.damaged.get(filename)
        if damaged is not None and not damaged.is_symlink():
            damaged.unlink()  # huggingface_hub would not replace it
        try:
            downloaded = hf_hub_download(
                self.name,
                filename,
                revision=self.revision,
                token=self.token,
                tqdm_class=events.ProgressReporter,
                force_download=damaged is not None,
            )
        except Exception as error:
            if errors.is_missing_file(error):
                return None
            raise
        if not is_intact(Path(downloaded), events.report_progress):
            raise HubUnreachableError(f"{filename} arrived damaged from {constants.ENDPOINT}")
        return Path(downloaded)

    def download(self) -> Path:
        folder = collect_files(self.from_cache)
        is_commit = re.fullmatch("[0-9a-f]{40}", self.revision)
        if folder is None or not (is_commit or constants.HF_HUB_OFFLINE):  # a branch may have moved
            self.check_hub()
            threading.Thread(target=events.watch_other_downloads, args=(self.name,), daemon=True).start()
            folder = collect_files(self.from_hub)
        if folder is None:
            raise CheckpointError("has no model.safetensors, the only supported format")
        return folder


def main(name: str, revision: str) -> None:
    """Download `name` at `revision`, and report the folder or the reason for failure as the last event."""
    events.report("progress")  # Python has started
    checkpoint = Checkpoint(name, revision)
    try:
        folder = checkpoint.download()
    except Exception as error:
        explained = errors.explain(error, revision)
        message = str(explained)
        if checkpoint.damaged and isinstance(explained, HubUnreachableError):
            files = " and ".join(checkpoint.damaged)
            message = f"{files} in the cache is damaged and could not be downloaded again: {message}"
        events.report_error(explained, message)
    else:
        events.report("done", folder=str(folder), commit=folder.name)


def stop(*_: object) -> NoReturn:
    """Exit on SIGTERM by raising an exception, so that huggingface_hub removes its incomplete file."""
    sys.exit("terminated")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    logging.getLogger("huggingface_hub").addHandler(events.WarningReporter(logging.WARNING))
    # With the default of 10 MB, a slow connection would look dead; None passes data on as it arrives.
    constants.DOWNLOAD_CHUNK_SIZE = None  # type: ignore[assignment]
    main(*sys.argv[1:])
