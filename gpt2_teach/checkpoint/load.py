"""Load the trained GPT-2 with transformers, or a stand-in together with the reason for it.

transformers is imported only when needed. It reads files of every naming scheme: with and without the prefix
`transformer.`, with the shared matrix under one name, the other or both, with and without the causal masks of
every block. Safetensors files are read, never pickles, and no code that comes with a checkpoint is run.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gpt2_teach.checkpoint import stand_in
from gpt2_teach.checkpoint.download import locate
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.model_source import resolve_source
from gpt2_teach.checks import as_generator

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

_MASKS = re.compile(r"(transformer\.)?h\.\d+\.attn\.(masked_)?bias")  # buffers that older versions saved


@dataclass(frozen=True, repr=False, eq=False)
class LoadedGPT2:
    """A transformers GPT-2 and its source; a notebook displays it as a sentence about both.

    >>> print(LoadedGPT2(model=None, is_stand_in=False, source="the folder `my_folder`", reason=""))
    These are trained weights, loaded from the folder my_folder.
    """

    model: GPT2LMHeadModel  # in float32, in eval mode
    is_stand_in: bool
    source: str  # Markdown: the origin of the weights, or a description of the stand-in
    reason: str  # why a stand-in is used; empty otherwise

    def __str__(self) -> str:
        """Return the text without Markdown markup."""
        return re.sub(r"^> ?|[*`]", "", self._repr_markdown_(), flags=re.MULTILINE)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        if self.is_stand_in:
            return stand_in.label(self.source, self.reason)
        return f"These are trained weights, loaded from {self.source}."


def load_gpt2(
    name: str | os.PathLike[str] | None = None,
    *,
    revision: str | None = None,
    generator: torch.Generator | int | None = None,
) -> LoadedGPT2:
    """Load Hugging Face's GPT-2 with trained weights, or a clearly labelled stand-in.

    Args:
        name: a folder with `config.json` and safetensors files, or a name on the Hub. If None, the value of
            the environment variable `GPT2_TEACH_CHECKPOINT`, or `openai-community/gpt2` if it is not set.
        revision: commit, branch or tag on the Hub. If None, a fixed commit of `openai-community/gpt2`, or
            `main` of any other model.
        generator: source of the stand-in's initial values: a `torch.Generator`, or an integer seed; 0 if
            None. The global generator is not changed.

    Returns:
        The model and its source. If the Hub is unreachable, gives an invalid answer or stops sending, the
        model is a full-size GPT-2 at its random initialization (see `download` for the limits).

    Raises:
        CheckpointError: the folder or the name does not exist, is incomplete or broken, or is not a GPT-2.
        RuntimeError: a stand-in would be returned, and `GPT2_TEACH_REQUIRE_REAL` is set.
    """
    argument, source, revision = resolve_source(name, revision)
    generator = as_generator("generator", 0 if generator is None else generator)
    try:
        with ThreadPoolExecutor(max_workers=1) as pool:  # import while waiting for the Hub
            if not isinstance(source, Path):
                pool.submit(import_module, "transformers.models.gpt2.modeling_gpt2")
            folder = locate(argument, source, revision)
            assert folder is not None  # it can be only after a dry run
    except HubUnreachableError as error:
        random = _for_inference(stand_in.random_gpt2(generator))
        return LoadedGPT2(random, True, stand_in.SOURCE, f"`{source}`: {error}")
    model, unused = _read_gpt2(folder)
    if unused:
        warnings.warn(f"unused tensors of the checkpoint: {', '.join(unused)}", stacklevel=2)
    if isinstance(source, Path):
        description = f"the folder {source}"
    else:
        author = "OpenAI's " if source.startswith("openai-community/gpt2") else ""
        description = f"{author}`{source}` on the Hugging Face Hub at revision `{folder.name}`"
    return LoadedGPT2(_for_inference(model), False, description, "")


def _read_gpt2(folder: Path) -> tuple[GPT2LMHeadModel, list[str]]:
    """Return the model in `folder`, in float32, and the names of tensors that do not belong to it."""
    from transformers import GPT2LMHeadModel

    try:
        with _without_messages(), torch.random.fork_rng(devices=[]):
            loaded: Any = GPT2LMHeadModel.from_pretrained(
                folder,
                dtype=torch.float32,
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                ignore_mismatched_sizes=True,  # reported below, by name
                output_loading_info=True,
            )
    except Exception as error:  # of many kinds: a broken file, an invalid configuration
        raise CheckpointError(f"transformers cannot load {folder}: {error}") from error
    model, info = loaded
    if info["missing_keys"]:
        raise CheckpointError(f"{folder} lacks {', '.join(sorted(info['missing_keys']))}")
    for name, found, expected in info["mismatched_keys"]:
        raise CheckpointError(f"{name} in {folder} must have shape {tuple(expected)}, got {tuple(found)}")
    if model.lm_head.weight is not model.transformer.wte.weight:
        raise CheckpointError(f"embedding and head of {folder} are two matrices; in GPT-2 they are one")
    return model, sorted(key for key in info["unexpected_keys"] if not _MASKS.fullmatch(key))


@contextmanager
def _without_messages() -> Iterator[None]:
    """Hide transformers' progress bars and its report on tensor names, which `_read_gpt2` checks itself."""
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


def _for_inference(model: GPT2LMHeadModel) -> GPT2LMHeadModel:
    model.loss_type = "ForCausalLM"  # the default, set explicitly to avoid a warning at the first loss
    return model.eval()
