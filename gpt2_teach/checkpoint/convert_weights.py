"""Copy Hugging Face's GPT-2 weights into our `GPT`.

Its `Conv1D` matrices have shape (in, out), the transpose of `nn.Linear`'s (out, in). Source:
`modeling_gpt2.py` of transformers, and `from_pretrained` of karpathy/nanoGPT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

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


def gpt_from_hf(model: GPT2LMHeadModel) -> GPT:
    """Return our `GPT`, tied, in float32, with a copy of the weights of a transformers `model`.

    Raises CheckpointError if the configuration of `model` has a feature that GPT-2 lacks.
    """
    config = model.config
    for field, allowed in _FIXED.items():
        if (value := getattr(config, field)) not in allowed:
            raise CheckpointError(f"{field} must be {' or '.join(map(repr, allowed))}, got {value!r}")
    if config.n_inner not in (None, 4 * config.n_embd):
        raise CheckpointError(f"n_inner must be 4 * n_embd = {4 * config.n_embd}, got {config.n_inner!r}")
    sizes = GPTConfig(config.n_positions, config.vocab_size, config.n_layer, config.n_head, config.n_embd)
    ours = build_gpt(sizes, generator=0)  # every value is replaced
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            weight = model.get_parameter(name)
            parameter.copy_(weight.T if name.endswith(TRANSPOSED) else weight)
    return ours
