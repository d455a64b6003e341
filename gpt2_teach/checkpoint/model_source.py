"""Determine which GPT-2 to load, and which files it consists of.

A GPT-2 in the Hub's format is a `config.json` and either a `model.safetensors` or an index and the files that
it lists. Source: the documentation of safetensors.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from gpt2_teach.checkpoint.errors import CheckpointError

NAME_VARIABLE = "GPT2_TEACH_CHECKPOINT"
DEFAULT_NAME = "openai-community/gpt2"
DEFAULT_REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"


def resolve_source(
    name: str | os.PathLike[str] | None = None, revision: str | None = None
) -> tuple[str, str | Path, str]:
    """Resolve the arguments of `load_gpt2`.

    Returns the argument or variable that was used, for error messages; the folder, or the name on the Hub;
    and the revision (not used with a folder).

    Raises:
        CheckpointError: `name` is a path but not a folder, or a folder is given with a revision.
        TypeError: `name` is neither a string nor a path.
    """
    argument, value = "name", name
    if value is None:
        variable = os.environ.get(NAME_VARIABLE)
        argument, value = (NAME_VARIABLE, variable) if variable else ("name", DEFAULT_NAME)
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"name must be a folder or a name on the Hub, got {value!r} ({type(value).__name__})")
    try:
        path = Path(value).expanduser()
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, RuntimeError) as error:  # path too long, unknown user
        raise CheckpointError(f"{argument}={str(value)!r}: {error}") from error
    if is_folder and value != "":
        if revision is not None:
            raise CheckpointError(f"revision must be None if {argument} is a folder, got {revision!r}")
        return argument, path, ""
    if exists or not isinstance(value, str):
        raise CheckpointError(f"{argument}={str(value)!r}: this is not a folder")
    return argument, value, revision or (DEFAULT_REVISION if value == DEFAULT_NAME else "main")


def weight_files(folder: Path) -> list[str]:
    """Return the names of the weight files that belong in a folder with a GPT-2, whether they exist or not.

    Raises CheckpointError if a JSON file is missing or broken, or is not for a GPT-2.
    """
    model_type = _read_json(folder / CONFIG).get("model_type")
    if model_type != "gpt2":
        raise CheckpointError(f"{folder} is not a GPT-2: its {CONFIG} has model_type {model_type!r}")
    if (folder / WEIGHTS).exists() or not (folder / INDEX).exists():
        return [WEIGHTS]
    weight_map = _read_json(folder / INDEX).get("weight_map")
    if not isinstance(weight_map, dict):
        raise CheckpointError(f"{folder / INDEX} has no weight_map")
    return sorted(set(weight_map.values()))


def missing_files(folder: Path) -> list[str]:
    """Return which weight files a folder lacks; raise CheckpointError as `weight_files` does."""
    return [name for name in weight_files(folder) if not (folder / name).is_file()]


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise CheckpointError(f"{path.parent} has no {path.name}") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    return content if isinstance(content, dict) else {}
