"""The layout of Hugging Face's cache, and integrity checks for its files.

    models--openai-community--gpt2/
        refs/main                          the commit that a branch pointed to at the last download
        blobs/<checksum>                   the files; <checksum>.incomplete while a download is running
        snapshots/<commit>/config.json     a link to a blob, or a plain file on systems without links

Large files are stored under their SHA-256 checksum. Source: "Understand caching" in the documentation of
huggingface_hub.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

from huggingface_hub import constants
from huggingface_hub.file_download import repo_folder_name
from safetensors import SafetensorError, safe_open

from gpt2_teach.checkpoint.errors import CheckpointError


def incomplete_bytes(name: str) -> int:
    """Return the number of bytes of the model `name` in unfinished downloads by any process."""
    blobs = Path(constants.HF_HUB_CACHE) / repo_folder_name(repo_id=name, repo_type="model") / "blobs"
    return sum(part.stat().st_size for part in blobs.glob("*.incomplete"))


def is_intact(path: Path, on_progress: Callable[[], None]) -> bool:
    """Return whether a file matches its checksum or, if it has none, its format."""
    blob = path.readlink().name if path.is_symlink() else ""
    if re.fullmatch("[0-9a-f]{64}", blob):
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
                on_progress()
        return digest.hexdigest() == blob
    try:
        if path.suffix == ".json":
            return isinstance(json.loads(path.read_bytes()), dict)
        with safe_open(path, framework="np"):  # compares the header with the length of the file
            return True
    except (ValueError, SafetensorError):
        return False


def collect_files(get: Callable[[str], Path | None]) -> Path | None:
    """Call `get` with the name of each file of a checkpoint; return their folder, or None if one is missing.

    Raises CheckpointError if the checkpoint is not a GPT-2.
    """
    config = get("config.json")
    if config is None:
        return None
    model_type = json.loads(config.read_bytes()).get("model_type")
    if model_type != "gpt2":
        raise CheckpointError(f"is not a GPT-2: its config.json has model_type {model_type!r}")
    if get("model.safetensors") is None:
        index = get("model.safetensors.index.json")
        if index is None:
            return None
        shards = sorted(set(json.loads(index.read_bytes())["weight_map"].values()))
        if any(get(shard) is None for shard in shards):
            return None
    return config.parent
