"""Hugging Face's weights in our `GPT`, from each of the shapes in which their files are found.

`save_pretrained` writes `transformer.wte.weight` and no head. The file that the Hub serves as
`openai-community/gpt2` has bare names (`wte.weight`) and the causal masks of every block
(`h.0.attn.bias`); other tools wrote the head instead of the embedding, or both. All hold matrices as
`Conv1D` does, (in, out), where `nn.Linear` has (out, in). Source: `modeling_gpt2.py` of transformers, and
`from_pretrained` of karpathy/nanoGPT.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gpt2_teach.checkpoint.files import MASKS, FolderTensors, gpt_config, read_config
from gpt2_teach.checkpoint.hub import CheckpointError
from gpt2_teach.config import GPTConfig
from gpt2_teach.fill_once import postponed_fills
from gpt2_teach.model import GPT

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # Conv1D, also where it is square


def gpt_from_hf(
    source: GPT2LMHeadModel | str | os.PathLike[str] | Mapping[str, Tensor],
    config: Mapping[str, Any] | GPTConfig | None = None,
) -> GPT:
    """Our `GPT`, tied, in float32, with the weights of a Hugging Face GPT-2.

    Args:
        source: a `GPT2LMHeadModel`, a folder in the Hub's format, or tensors by name, with the names and
            shapes of the Hub's files: `Conv1D` matrices (in, out), which are transposed here; the shared
            matrix as `wte.weight`, `lm_head.weight` or both; with or without `transformer.` before the names
            and old mask buffers between them.
        config: with tensors only, their sizes, as a `GPTConfig` or a mapping like the Hub's `config.json`.

    Raises:
        CheckpointError: a tensor is missing, unexpected or of a wrong shape, the two tied ones differ, or the
            configuration is not that of a GPT-2.
    """
    if isinstance(source, (str, os.PathLike)):
        folder = Path(source).expanduser()
        settings: Any = read_config(folder)
        tensors: Mapping[str, Tensor] = FolderTensors(folder)
    elif isinstance(source, Mapping):
        if config is None:
            raise TypeError("config must be given with a mapping of tensors, got None")
        settings, tensors, config = config, source, None
    elif hasattr(source, "config") and hasattr(source, "state_dict"):
        settings, tensors = source.config.to_dict(), source.state_dict()
    else:
        raise TypeError(f"source must be a model, a folder or tensors by name, got {type(source).__name__}")
    if config is not None:
        raise TypeError("config must be given with a mapping of tensors only: this source has its own")

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
                    f"{names[bare]} must be floating-point numbers of shape {expected}, "
                    f"got {tensor.dtype} of shape {tuple(tensor.shape)}"
                )
            parameter.copy_(tensor.T if bare.endswith(TRANSPOSED) else tensor)
    return model


def _bare_names(tensors: Mapping[str, Tensor], expected: set[str]) -> dict[str, str]:
    """From the name of each weight without `transformer.` to its name in `tensors`; masks are left out.

    The matrix that embedding and head share is found as `wte.weight`, whichever of the two names it has in
    `tensors`. `expected` are the bare names that the model has, head and embedding counted as one.

    Raises CheckpointError, naming the tensor: one is missing, unexpected, there twice, or the two tied ones
    differ.
    """
    found: dict[str, str] = {}
    for name in tensors:
        if MASKS.fullmatch(name):
            continue
        bare = name.removeprefix("transformer.")
        if bare in found:
            raise CheckpointError(f"the checkpoint holds {bare} twice, as {found[bare]} and as {name}")
        found[bare] = name
    wte, head = found.get("wte.weight"), found.get("lm_head.weight")
    if wte and head and not _same(tensors[wte], tensors[head]):
        raise CheckpointError(f"{wte} and {head} differ, though GPT-2's embedding and head are one matrix")
    if head:
        found.pop("lm_head.weight")
        found.setdefault("wte.weight", head)
    if missing := sorted(expected - found.keys()):
        raise CheckpointError(f"the checkpoint lacks {_list(missing)}")
    if unexpected := sorted(found[bare] for bare in found.keys() - expected):
        raise CheckpointError(f"the checkpoint holds {_list(unexpected)}, for which its sizes leave no place")
    return found


def _same(a: Tensor, b: Tensor) -> bool:
    return a.shape == b.shape and (a.data_ptr() == b.data_ptr() or torch.equal(a, b))


def _list(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
