"""The child process that `download` starts: `python -m gpt2_teach.checkpoint.fetch NAME REVISION`.

It prints the folder in which a download grows, and at its end the folder of the model or the reason for its
failure; its exit code says which of the two errors to raise.
"""

from __future__ import annotations

import re
import signal
import sys
from functools import partial
from pathlib import Path

from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.model_source import (
    CONFIG,
    DEFAULT_NAME,
    INDEX,
    WEIGHTS,
    missing_files,
    weight_files,
)

WRONG_CHECKPOINT = 3  # exit code
COMMIT = re.compile("[0-9a-f]{40}")


def _fetch(name: str, revision: str, dry_run: bool) -> Path | None:
    """Download what is not in the cache and return its folder; None if it is missing after a dry run."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.errors import RemoteEntryNotFoundError

    cached = _in_cache(name, revision)
    if cached and COMMIT.fullmatch(revision):
        return cached
    token = False if name == DEFAULT_NAME else None  # an expired token must not block a public model
    try:  # a short request, without retries
        get_hf_file_metadata(hf_hub_url(name, CONFIG, revision=revision), token=token)
    except Exception:
        if cached:
            return cached  # the branch as of the last download
        raise
    get = partial(hf_hub_download, name, token=token)
    folder = Path(get(CONFIG, revision=revision)).parent
    weight_files(folder)  # raises CheckpointError before anything large is downloaded
    try:
        get(WEIGHTS, revision=folder.name, dry_run=dry_run)
    except RemoteEntryNotFoundError:
        get(INDEX, revision=folder.name)
        for file in weight_files(folder):
            get(file, revision=folder.name, dry_run=dry_run)
    return _in_cache(name, folder.name)


def _in_cache(name: str, revision: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name, CONFIG, revision=revision)
    if not isinstance(config, str) or missing_files(folder := Path(config).parent):
        return None
    return folder


def _explain(error: BaseException, name: str, revision: str) -> CheckpointError | HubUnreachableError:
    from huggingface_hub import constants, errors

    while isinstance(error, errors.LocalEntryNotFoundError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, CheckpointError):
        return error
    if isinstance(error, errors.HFValidationError):
        return CheckpointError("there is no such folder, and it is not a valid name on the Hub")
    hub, response = constants.ENDPOINT, getattr(error, "response", None)
    if response is not None:
        answer = f"HTTP {response.status_code} {response.headers.get('X-Error-Code', '')}".strip()
        if response.status_code in (401, 403, 404):
            model = f"{name} with safetensors at revision {revision!r}"
            return CheckpointError(
                f"{hub} has no {model}, or it is private or gated, or your token is refused ({answer})"
            )
        return HubUnreachableError(f"{hub} answered with an error ({answer})")
    if isinstance(error, OSError) and error.errno is not None:
        return HubUnreachableError(f"the cache {constants.HF_HUB_CACHE} is not usable ({error.strerror})")
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(error).partition(". ")[0]) or type(error).__name__
    return HubUnreachableError(f"the connection to {hub} failed ({text})")


def _main(name: str, revision: str, dry_run: str = "") -> None:
    from huggingface_hub import constants

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(1))  # huggingface_hub then removes its incomplete file
    constants.DOWNLOAD_CHUNK_SIZE = 2**14  # not 10 MB, with which a slow connection would look dead
    _report(Path(constants.HF_HUB_CACHE, f"models--{name.replace('/', '--')}", "blobs"))
    try:
        _report(_fetch(name, revision, bool(dry_run)) or "")
    except Exception as error:  # of many kinds
        explained = _explain(error, name, revision)
        _report(explained)
        sys.exit(WRONG_CHECKPOINT if isinstance(explained, CheckpointError) else 1)


def _report(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main(*sys.argv[1:])
