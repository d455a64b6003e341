"""Determine which GPT-2 to load: the argument of `load_gpt2`, the environment variable or the default."""

from __future__ import annotations

import os
import re
from pathlib import Path

from gpt2_teach.checkpoint.errors import CheckpointError

NAME_VARIABLE = "GPT2_TEACH_CHECKPOINT"
DEFAULT_NAME = "openai-community/gpt2"
DEFAULT_REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"


def resolve_source(
    name: str | os.PathLike[str] | None = None, revision: str | None = None
) -> tuple[str, str | Path, str | None]:
    """Resolve the arguments of `load_gpt2`.

    Returns the argument or variable that was used, for error messages; the folder, or the name on the Hub;
    and the revision (None: a folder, or the Hub's default).

    Raises:
        CheckpointError: `name` is a path but not a folder, or a folder is given with a revision.
        TypeError: `name` is neither a string nor a path.
    """
    argument, value = ("name", name) if name is not None else (NAME_VARIABLE, os.environ.get(NAME_VARIABLE))
    if value is None or (argument == NAME_VARIABLE and not value):
        return "name", DEFAULT_NAME, revision or DEFAULT_REVISION
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"name must be a folder or a name on the Hub, got {value!r} ({type(value).__name__})")
    try:
        folder = Path(value).expanduser()
        exists = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # unknown user, path too long, null byte
        raise CheckpointError(f"{argument}={str(value)!r}: {error}") from error
    looks_like_path = isinstance(value, os.PathLike) or re.match(r"[./~\\]|\w:|.*[\\/]$|.*/.*/|.*\\", value)
    if exists and value != "":
        if revision is not None:
            raise CheckpointError(
                f"revision must be None if {argument} is a folder ({value}), got {revision!r}"
            )
        return argument, folder, None
    if looks_like_path or folder.is_file():
        problem = "this is a file, not a folder" if folder.is_file() else "the folder does not exist"
        raise CheckpointError(f"{argument}={str(value)!r}: {problem}")
    return argument, str(value), revision or (DEFAULT_REVISION if value == DEFAULT_NAME else None)
