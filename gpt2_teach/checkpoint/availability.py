"""`python -m gpt2_teach.checkpoint.availability`: check what `load_gpt2()` would load, without a download.

The result is the last event that the command writes to standard output (see `events`). If a folder is given
as an argument, the command loads it as `load_gpt2` would.
"""

from __future__ import annotations

import sys
from pathlib import Path

from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url

from gpt2_teach.checkpoint.cache import collect_files
from gpt2_teach.checkpoint.download_process import Checkpoint
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError, explain, is_missing_file
from gpt2_teach.checkpoint.events import report, report_error
from gpt2_teach.checkpoint.folder_format import read_config, weight_files
from gpt2_teach.checkpoint.load import load_gpt2
from gpt2_teach.checkpoint.model_source import NAME_VARIABLE, resolve_source


class _WithoutWeights(Checkpoint):
    """A checkpoint that downloads only JSON files and checks whether the Hub has the weights."""

    needs_download = False

    def from_hub(self, filename: str) -> Path | None:
        if filename.endswith(".json"):  # small, and its content is needed
            return super().from_hub(filename)
        if cached := self.from_cache(filename):
            return cached
        try:
            get_hf_file_metadata(hf_hub_url(self.name, filename, revision=self.revision), token=self.token)
        except Exception as error:
            if is_missing_file(error):
                return None
            raise
        self.needs_download = True
        return Path(filename)


def check_availability() -> tuple[str, Path | None]:
    """Return one sentence about where the checkpoint is, and its folder if it is on this machine.

    Raises:
        CheckpointError: `load_gpt2()` would reject the checkpoint that `GPT2_TEACH_CHECKPOINT` names.
        HubUnreachableError: `load_gpt2()` would return a stand-in.
    """
    argument, source, revision = resolve_source()
    prefix = f"{argument}={str(source)!r}: " if argument == NAME_VARIABLE else ""
    if isinstance(source, Path):
        try:
            read_config(source)
            weight_files(source)
        except CheckpointError as error:
            raise CheckpointError(f"{prefix}{error}") from error
        return f"the checkpoint is the folder {source}", source
    revision = revision or "main"
    checkpoint = _WithoutWeights(source, revision)
    try:
        folder = checkpoint.download()
    except Exception as error:  # of many kinds, which `explain` distinguishes
        explained = explain(error, revision)
        if isinstance(explained, CheckpointError):
            raise CheckpointError(f"{prefix}{source} {explained}") from error
        cached = collect_files(checkpoint.from_cache)  # the branch, as of the last download
        if cached is None:
            raise HubUnreachableError(str(explained)) from error
        folder, checkpoint.needs_download = cached, False
    if checkpoint.needs_download:
        return f"the checkpoint {source} can be downloaded from {constants.ENDPOINT}", None
    return f"the checkpoint {source} is in {constants.HF_HUB_CACHE}; no network is needed", folder


def main(folder: str | None = None) -> None:
    """Check that the checkpoint is available or, if `folder` is given, that it can be loaded."""
    try:
        if folder is not None:
            load_gpt2(None if isinstance(resolve_source()[1], Path) else folder)
            report("done")
        else:
            message, found = check_availability()
            report("done", message=message, folder=str(found or ""))
    except (CheckpointError, HubUnreachableError) as error:
        report_error(error, " ".join(str(error).split()))


if __name__ == "__main__":
    main(*sys.argv[1:])
