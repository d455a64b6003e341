"""`python -m gpt2_teach.checkpoint.at_hand`: can what `load_gpt2()` would load be had, without its download?

Says so on standard output in the events of `fetch_report`; the last one counts. With a folder as argument,
that folder is loaded as `load_gpt2` would, to see whether it can be.
"""

from __future__ import annotations

import sys
from pathlib import Path

from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url

from gpt2_teach.checkpoint.fetch import Checkpoint, collect
from gpt2_teach.checkpoint.fetch_report import say
from gpt2_teach.checkpoint.fetch_words import in_words, is_missing_file, root
from gpt2_teach.checkpoint.files import read_config, weight_files
from gpt2_teach.checkpoint.hub import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.load import load_gpt2, what_is_meant
from gpt2_teach.checkpoint.loaded import NAME_VARIABLE


class _Asked(Checkpoint):
    """Fetched as a checkpoint is, but for the weights, after which the Hub is only asked."""

    to_come = False

    def from_hub(self, filename: str) -> Path | None:
        if filename.endswith(".json"):  # small, and what it says decides
            return super().from_hub(filename)
        if found := self.in_cache(filename):
            return found
        try:
            get_hf_file_metadata(hf_hub_url(self.name, filename, revision=self.revision), token=self.token)
        except Exception as error:
            if is_missing_file(root(error)):
                return None
            raise
        self.to_come = True
        return Path(filename)


def at_hand() -> tuple[str, Path | None]:
    """In words where it would come from, and the folder where it lies already, if it does.

    Raises:
        CheckpointError: `load_gpt2()` would refuse what `GPT2_TEACH_CHECKPOINT` names.
        HubUnreachableError: `load_gpt2()` would take a stand-in.
    """
    argument, value, revision = what_is_meant(None, None)
    named = f"{argument}={str(value)!r}: " if argument == NAME_VARIABLE else ""
    if isinstance(value, Path):
        try:
            read_config(value)
            weight_files(value)
        except CheckpointError as error:
            raise CheckpointError(f"{named}{error}") from error
        return f"the checkpoint is the folder {value}", value
    revision = revision or "main"
    asked = _Asked(value, revision)
    try:
        folder = asked.fetch()
    except Exception as error:  # of many kinds, which `in_words` tells apart
        event, words = in_words(root(error), revision)
        if event == "wrong":
            raise CheckpointError(f"{named}{value} {words}") from error
        cached = collect(asked.in_cache)  # what a branch was when it was last fetched
        if cached is None:
            raise HubUnreachableError(words) from error
        folder, asked.to_come = cached, False
    if asked.to_come:
        return f"the checkpoint {value} can be downloaded from {constants.ENDPOINT}", None
    return f"the checkpoint {value} is in {constants.HF_HUB_CACHE}, for which no network is needed", folder


def main(*folders: str) -> None:
    """Say whether it can be had, or whether `folders`, which is one, loads."""
    try:
        if folders:
            load_gpt2(None if isinstance(what_is_meant(None, None)[1], Path) else folders[0])
            say("done")
        else:
            words, folder = at_hand()
            say("done", words=words, folder=str(folder or ""))
    except CheckpointError as error:
        say("wrong", words=" ".join(str(error).split()))
    except HubUnreachableError as error:
        say("unreachable", words=str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
