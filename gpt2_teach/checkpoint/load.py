"""`load_gpt2`: the trained model, or the stand-in and why.

The one place that imports transformers, and only when called. What is loaded: safetensors files, never
pickles, and no code that a checkpoint brings along.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gpt2_teach.checkpoint import hub
from gpt2_teach.checkpoint.files import MASKS, read_config, weight_files
from gpt2_teach.checkpoint.hub import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.loaded import HOW_TO_GET_IT, NAME_VARIABLE, REQUIRE_VARIABLE, LoadedGPT2
from gpt2_teach.checks import as_generator

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

DEFAULT_NAME = "openai-community/gpt2"
DEFAULT_REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"


def load_gpt2(
    name: str | os.PathLike[str] | None = None,
    *,
    revision: str | None = None,
    generator: torch.Generator | int | None = None,
) -> LoadedGPT2:
    """Hugging Face's GPT-2 with trained weights, or a stand-in that says that it is one.

    Args:
        name: a folder that holds `config.json` and safetensors files, or a name on the Hub. If None, what the
            environment variable `GPT2_TEACH_CHECKPOINT` says; if that is not set, `openai-community/gpt2`.
        revision: commit, branch or tag on the Hub. If None, a fixed commit of `openai-community/gpt2`, and
            `main` of any other.
        generator: where the stand-in's initial values come from: a `torch.Generator`, or a whole number used
            as a seed; 0 if None. The global generator is left as it is.

    Returns:
        The model and where it is from. If the Hub cannot be reached, does not answer sensibly or falls
        silent, the model is a full-size GPT-2 at its own initialization (see `hub.fetch` for the limits).

    Raises:
        CheckpointError: the folder or the name does not exist, is incomplete or broken, or is no GPT-2.
        RuntimeError: a stand-in would be returned, and `GPT2_TEACH_REQUIRE_REAL` is set.
    """
    argument, value, revision = what_is_meant(name, revision)
    generator = as_generator("generator", 0 if generator is None else generator)
    try:
        if isinstance(value, Path):
            read_config(value)  # both before transformers, which takes seconds to import
            weight_files(value)
            return LoadedGPT2(_from_folder(value), False, f"those in the folder {value}", "")
        with ThreadPoolExecutor(max_workers=1) as pool:
            pool.submit(import_module, "transformers.models.gpt2.modeling_gpt2")  # while the Hub is asked
            fetched = hub.fetch(value, revision)
        author = "OpenAI's own, " if value.startswith("openai-community/gpt2") else ""
        source = f"{author}`{value}` on the Hugging Face Hub at revision `{fetched.commit}`"
        return LoadedGPT2(_from_folder(fetched.folder), False, source, "")
    except CheckpointError as error:
        raise CheckpointError(f"{argument}={str(value)!r}: {error}") from error
    except HubUnreachableError as error:
        reason = str(error)
    refuse_if_required(str(value), reason)
    source = "a full-size `GPT2LMHeadModel(GPT2Config())` at its own random initialization"
    return LoadedGPT2(_stand_in(generator), True, source, f"for `{value}`, {reason}")


def refuse_if_required(name: str, reason: str) -> None:
    """Raise RuntimeError if no stand-in may take the place of `name`: the variable for publishing is set."""
    if os.environ.get(REQUIRE_VARIABLE, "0") not in ("", "0"):
        raise RuntimeError(
            f"{REQUIRE_VARIABLE} is set, so no stand-in for {name} will do. {reason}; {HOW_TO_GET_IT}"
        )


def what_is_meant(
    name: str | os.PathLike[str] | None, revision: str | None
) -> tuple[str, str | Path, str | None]:
    """Which argument or variable names the checkpoint, the folder or Hub name that it means, its revision."""
    argument, value = ("name", name) if name is not None else (NAME_VARIABLE, os.environ.get(NAME_VARIABLE))
    if value is None or (argument == NAME_VARIABLE and not value):
        return "name", DEFAULT_NAME, revision or DEFAULT_REVISION
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"name must be a folder or a name on the Hub, got {value!r} ({type(value).__name__})")
    try:
        folder = Path(value).expanduser()
        exists = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # no such user, too long, a zero byte
        raise CheckpointError(f"{argument}={str(value)!r}: {error}") from error
    looks_like_path = isinstance(value, os.PathLike) or re.match(r"[./~\\]|\w:|.*[\\/]$|.*/.*/|.*\\", value)
    if exists and value != "":
        if revision is not None:
            raise CheckpointError(
                f"revision={revision!r} means nothing to a folder, and {argument} is one: {value}"
            )
        return argument, folder, None
    if looks_like_path or folder.is_file():
        kind = "is a file; a folder is needed" if folder.is_file() else "there is no such folder"
        raise CheckpointError(f"{argument}={str(value)!r}: {kind}")
    return argument, str(value), revision or (DEFAULT_REVISION if value == DEFAULT_NAME else None)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without transformers' progress bars and its report on names, which `_from_folder` reads by itself."""
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


def _from_folder(folder: Path) -> GPT2LMHeadModel:
    from transformers import GPT2LMHeadModel

    weight_files(folder)
    try:
        with _quiet():
            loaded: Any = GPT2LMHeadModel.from_pretrained(
                folder,
                dtype=torch.float32,
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
    except Exception as error:  # of many kinds: a broken file, a wrong shape, an impossible configuration
        raise CheckpointError(f"transformers cannot load it: {error}") from error
    model, info = loaded
    if info["missing_keys"]:
        raise CheckpointError(f"the checkpoint lacks {', '.join(sorted(info['missing_keys']))}")
    if model.lm_head.weight is not model.transformer.wte.weight:
        raise CheckpointError("its embedding and its head are two matrices, not one as in GPT-2")
    if unused := sorted(key for key in info["unexpected_keys"] if not MASKS.fullmatch(key)):
        warnings.warn(f"not used from the checkpoint: {', '.join(unused)}", stacklevel=3)
    return _ready(model)


def _stand_in(generator: torch.Generator) -> GPT2LMHeadModel:
    from transformers import GPT2Config, GPT2LMHeadModel

    seed = int(torch.randint(2**62, (), generator=generator))
    with torch.random.fork_rng(devices=[]):  # transformers draws from the global generator
        torch.default_generator.manual_seed(seed)
        return _ready(GPT2LMHeadModel(GPT2Config()))


def _ready(model: GPT2LMHeadModel) -> GPT2LMHeadModel:
    model.loss_type = "ForCausalLM"  # what it falls back to with a warning, at the first loss
    return model.eval()
