"""Copy Hugging Face's GPT-2 weights into our `GPT`.

transformers reads files of every naming scheme: with and without the prefix `transformer.`, with the shared
matrix under one name, the other or both, with and without the causal masks of every block. What remains is
that its `Conv1D` matrices have shape (in, out), the transpose of `nn.Linear`'s (out, in). Source:
`modeling_gpt2.py` of transformers, and `from_pretrained` of karpathy/nanoGPT.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from gpt2_teach.checkpoint.download import locate
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.load import read_gpt2
from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt

if TYPE_CHECKING:
    from transformers import GPT2Config, GPT2LMHeadModel

TRANSPOSED = ("c_attn.weight", "c_proj.weight", "c_fc.weight")  # Conv1D, including the square ones

# fields of a configuration that must have these values, because our GPT supports no others
_FIXED: dict[str, tuple[Any, ...]] = {
    "activation_function": ("gelu_new", "gelu_pytorch_tanh"),
    "layer_norm_epsilon": (1e-5,),
    "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "add_cross_attention": (False,),
    "tie_word_embeddings": (True,),
}


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
    unused: list[str] = []
    if isinstance(source, Mapping):
        if config is None:
            raise TypeError("config is required with a mapping of tensors, got None")
        theirs, unused = read_gpt2(None, config=_hf_config(config), state_dict=dict(source))
    elif config is not None:
        raise TypeError("config is allowed only with a mapping of tensors: this source has its own")
    elif isinstance(source, (str, os.PathLike)):
        theirs, unused = read_gpt2(locate("source", Path(source).expanduser(), ""))
    elif isinstance(source, nn.Module):
        theirs = source
    else:
        raise TypeError(
            f"source must be a model, a folder or a mapping of tensors, got {type(source).__name__}"
        )
    if unused:
        raise CheckpointError(
            f"a GPT-2 of this size has no {', '.join(unused[:3])} (of {len(unused)} such tensors)"
        )
    ours = build_gpt(_our_config(theirs.config), generator=0)  # every value is replaced
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            weight = theirs.get_parameter(name)
            parameter.copy_(weight.T if name.endswith(TRANSPOSED) else weight)
    return ours


def _hf_config(config: Mapping[str, Any] | GPTConfig) -> GPT2Config:
    from transformers import GPT2Config

    if isinstance(config, GPTConfig):
        sizes = asdict(config)
        config = {"n_positions": sizes.pop("block_size"), **sizes}
    return GPT2Config(**config)


def _our_config(config: GPT2Config) -> GPTConfig:
    """Return the sizes in `config`; raise CheckpointError if it has a feature that GPT-2 lacks."""
    for field, allowed in _FIXED.items():
        if (value := getattr(config, field)) not in allowed:
            raise CheckpointError(f"{field} must be {' or '.join(map(repr, allowed))}, got {value!r}")
    if config.n_inner not in (None, 4 * config.n_embd):
        raise CheckpointError(f"n_inner must be 4 * n_embd = {4 * config.n_embd}, got {config.n_inner!r}")
    return GPTConfig(config.n_positions, config.vocab_size, config.n_layer, config.n_head, config.n_embd)
