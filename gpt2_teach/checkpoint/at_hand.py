"""Whether the checkpoint that `load_gpt2` would load can be had now, found out without fetching it."""

from __future__ import annotations

from pathlib import Path

from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url, try_to_load_from_cache

from gpt2_teach.checkpoint.files import read_config, weight_files
from gpt2_teach.checkpoint.load import what_is_meant


def at_hand() -> tuple[bool, str]:
    """Whether it can be had, and a sentence that says from where, or why not.

    Raises CheckpointError where `load_gpt2` would: `GPT2_TEACH_CHECKPOINT` names what is none.
    """
    _, value, revision = what_is_meant(None, None)
    if isinstance(value, Path):
        read_config(value)
        weight_files(value)
        return True, f"the checkpoint is the folder {value}"
    if isinstance(try_to_load_from_cache(value, "model.safetensors", revision=revision), str):
        return True, f"the checkpoint {value} is in {constants.HF_HUB_CACHE}: no network is needed"
    if constants.HF_HUB_OFFLINE:
        return False, f"{value} is not in {constants.HF_HUB_CACHE}, and HF_HUB_OFFLINE is set"
    try:
        get_hf_file_metadata(hf_hub_url(value, "config.json", revision=revision))
    except Exception as error:  # of many kinds; each means that it cannot be had now
        return False, f"{value} cannot be had from {constants.ENDPOINT} now ({type(error).__name__})"
    return True, f"the checkpoint {value} can be downloaded from {constants.ENDPOINT}"
