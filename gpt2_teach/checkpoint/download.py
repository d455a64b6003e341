"""Download a GPT-2 from the Hugging Face Hub, unless it is in the cache, with limits for a Hub that hangs.

`from_pretrained` alone waits for minutes if the Hub hangs, and for a name server or a file lock without any
limit. Here huggingface_hub runs in a child process, which can be ended whatever it is waiting for: after
ANSWER_SECONDS without any file, or later after SILENCE_SECONDS without a byte. A slow download is not an
error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from gpt2_teach.checkpoint import fetch, stand_in
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.model_source import missing_files, resolve_source

ANSWER_SECONDS, SILENCE_SECONDS = 12.0, 60.0


def find_checkpoint(*, download: bool = False) -> tuple[str, Path | None]:
    """Find what `load_gpt2()` would load, in at most 15 s, or download it.

    Returns one sentence about where it is, and its folder, or None if it has yet to be downloaded.

    Raises:
        CheckpointError, RuntimeError: as `load_gpt2` does.
        HubUnreachableError: `load_gpt2()` would return a stand-in.
    """
    argument, source, revision = resolve_source()
    folder = locate(argument, source, revision, dry_run=not download)
    if isinstance(source, Path):
        return f"GPT-2 is read from the folder {source}", folder
    if folder is None:
        return f"{source} can be downloaded from the Hugging Face Hub", None
    return f"{source} is in the cache, at revision {folder.name}; no network is needed", folder


def locate(argument: str, source: str | Path, revision: str, *, dry_run: bool = False) -> Path | None:
    """Return the folder of what `resolve_source` returned, downloaded if it is not on this machine.

    `HF_ENDPOINT`, `HF_HOME`, `HF_TOKEN`, `HF_HUB_OFFLINE` and the proxy variables have the same meaning as in
    huggingface_hub. A dry run downloads no weights, but returns None in their place.

    Raises:
        CheckpointError: the folder or the model is not a complete GPT-2, or does not exist.
        HubUnreachableError: the Hub does not answer, gives an invalid answer or stops sending; or the cache
            cannot be written.
        RuntimeError: as before, and `GPT2_TEACH_REQUIRE_REAL` is set.
    """
    try:
        if not isinstance(source, Path):
            return _from_hub(source, revision, dry_run)
        if missing := missing_files(source):
            raise CheckpointError(f"{source} has no {missing[0]} (other formats are not supported)")
        return source
    except CheckpointError as error:
        raise CheckpointError(f"{argument}={str(source)!r}: {error}") from error
    except HubUnreachableError as error:
        stand_in.check_allowed(str(source), str(error))
        raise


def _from_hub(name: str, revision: str, dry_run: bool) -> Path | None:
    package = Path(__file__).parents[2]  # may not be installed
    environment = {
        "HF_HUB_DISABLE_TELEMETRY": "1",  # saves a request
        "HF_HUB_DISABLE_XET": "1",  # so that a file in the cache grows with every byte that arrives
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    with subprocess.Popen(
        [sys.executable, "-P", "-m", fetch.__name__, name, revision, *["dry run"] * dry_run],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr.isatty() else subprocess.DEVNULL,  # a page would keep the progress bar
        text=True,
        env=environment,
    ) as child:
        assert child.stdout is not None
        try:
            growing = child.stdout.readline().strip()  # waits for Python, which is not the Hub's fault
            _wait(child, Path(growing), dry_run)
            result = child.stdout.read().strip()
        finally:
            child.terminate()
            try:
                child.wait(timeout=1)
            except subprocess.TimeoutExpired:
                child.kill()
    if child.returncode == fetch.WRONG_CHECKPOINT:
        raise CheckpointError(result)
    if child.returncode != 0 or not (result or dry_run):
        raise HubUnreachableError(result or f"the download process ended with exit code {child.returncode}")
    return Path(result) if result else None


def _wait(child: subprocess.Popen[str], growing: Path, dry_run: bool) -> None:
    """Wait for `child`; raise HubUnreachableError if the files in `growing` do not change for too long."""
    limit, before, start = ANSWER_SECONDS, _sizes(growing), time.monotonic()
    while child.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=0.2)
        if not dry_run and (now := _sizes(growing)) != before:
            limit, before, start = SILENCE_SECONDS, now, time.monotonic()
        if time.monotonic() - start > limit:
            raise HubUnreachableError(f"nothing arrived from the Hub for {limit:g} s")


def _sizes(folder: Path) -> dict[str, int]:
    try:
        return {file.name: file.stat().st_size for file in os.scandir(folder)}
    except OSError:  # there is no such folder yet, or a file has just been moved
        return {}
