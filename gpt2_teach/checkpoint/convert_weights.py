"""Copy Hugging Face's GPT-2 weights into our `GPT`, whichever naming scheme a file uses.

`save_pretrained` writes `transformer.wte.weight` and no head. The file that the Hub serves as
`openai-community/gpt2` has names without the prefix (`wte.weight`) and the causal masks of every block
(`h.0.attn.bias`). Other tools save the head instead of the embedding, or both. In all of these files,
`Conv1D` matrices have shape (in, out), the transpose of `nn.Linear`'s (out, in). Source: `modeling_gpt2.py`
of transformers, and `from_pretrained` of karpathy/nanoGPT.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.folder_format import MASKS, FolderTensors, gpt_config, read_config
from gpt2_teach.config import GPTConfig
from gpt2_teach.fill_once import postponed_fills
from gpt2_teach.model import GPT

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # Conv1D, including the square ones


def gpt_from_hf(
    source: GPT2LMHeadModel | str | os.PathLike[str] | Mapping[str, Tensor],
    config: Mapping[str, Any] | GPTConfig | None = None,
) -> GPT:
    """Return our `GPT`, tied, in float32, with the weights of a Hugging Face GPT-2.

    Args:
        source: a `GPT2LMHeadModel`, a folder in the Hub's format, or a mapping of tensors with the names and
            shapes of the Hub's files: `Conv1D` matrices (in, out), which are transposed here; the shared
            matrix as `wte.weight`, `lm_head.weight` or both; names with or without the prefix `transformer.`.
            Mask buffers of older versions are ignored.
        config: the sizes, as a `GPTConfig` or a mapping like the Hub's `config.json`; required with a mapping
            of tensors, not allowed otherwise.

    Raises:
        CheckpointError: a tensor is missing, unexpected or has the wrong shape, the two tied tensors differ,
            or the configuration is not for a GPT-2.
        TypeError: `source` has another type, or `config` is missing or not allowed with it.
    """
    if isinstance(source, (str, os.PathLike)):
        folder = Path(source).expanduser()
        settings: Any = read_config(folder)
        tensors: Mapping[str, Tensor] = FolderTensors(folder)
    elif isinstance(source, Mapping):
        if config is None:
            raise TypeError("config is required with a mapping of tensors, got None")
        settings, tensors, config = config, source, None
    elif hasattr(source, "config") and hasattr(source, "state_dict"):
        settings, tensors = source.config.to_dict(), source.state_dict()
    else:
        raise TypeError(
            f"source must be a model, a folder or a mapping of tensors, got {type(source).__name__}"
        )
    if config is not None:
        raise TypeError("config is allowed only with a mapping of tensors: this source has its own")

    sizes = settings if isinstance(settings, GPTConfig) else gpt_config(settings)
    with postponed_fills():  # every value is replaced below
        model = GPT(sizes)
    parameters = {name.removeprefix("transformer."): p for name, p in model.named_parameters()}
    names = _bare_names(tensors, set(parameters))
    with torch.no_grad():
        for bare, parameter in parameters.items():
            tensor = tensors[names[bare]]
            expected = tuple(parameter.T.shape if bare.endswith(TRANSPOSED) else parameter.shape)
            if tuple(tensor.shape) != expected or not tensor.is_floating_point():
                raise CheckpointError(
                    f"{names[bare]} must be a floating-point tensor of shape {expected}, "
                    f"got {tensor.dtype} of shape {tuple(tensor.shape)}"
                )
            parameter.copy_(tensor.T if bare.endswith(TRANSPOSED) else tensor)
    return model


def _bare_names(tensors: Mapping[str, Tensor], expected: set[str]) -> dict[str, str]:
    """Map the name of each weight without `transformer.` to its name in `tensors`, ignoring masks.

    The matrix that embedding and head share is listed as `wte.weight`, whatever its name in `tensors`.
    `expected` contains the model's names without the prefix, with embedding and head counted as one.

    Raises CheckpointError if a tensor is missing, unexpected or duplicated, or if the tied tensors differ.
    """
    found: dict[str, str] = {}
    for name in tensors:
        if MASKS.fullmatch(name):
            continue
        bare = name.removeprefix("transformer.")
        if bare in found:
            raise CheckpointError(f"the checkpoint contains {bare} twice, as {found[bare]} and as {name}")
        found[bare] = name
    wte, head = found.get("wte.weight"), found.get("lm_head.weight")
    if wte and head and not _same(tensors[wte], tensors[head]):
        raise CheckpointError(f"{wte} and {head} differ; GPT-2's embedding and head are one matrix")
    if head:
        found.pop("lm_head.weight")
        found.setdefault("wte.weight", head)
    if missing := sorted(expected - found.keys()):
        raise CheckpointError(f"the checkpoint lacks {_list(missing)}")
    if unexpected := sorted(found[bare] for bare in found.keys() - expected):
        raise CheckpointError(
            f"the checkpoint contains {_list(unexpected)}, which a model of this size does not have"
        )
    return found


def _same(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))


def _list(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
