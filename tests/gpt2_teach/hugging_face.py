"""The transformers class that our `GPT` is compared with."""

from __future__ import annotations

from typing import Any

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT

CONV1D = ("c_attn.weight", "c_fc.weight", "c_proj.weight")  # (in, out) there, (out, in) in our Linear


def hugging_face(ours: GPT | GPTConfig) -> GPT2LMHeadModel:
    """A model of the sizes of `ours`, with its values if it is a model and fresh ones otherwise."""
    config = ours.config if isinstance(ours, GPT) else ours
    sizes: dict[str, Any] = dict(n_layer=config.n_layer, n_head=config.n_head, n_embd=config.n_embd)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        theirs = GPT2LMHeadModel(
            GPT2Config(vocab_size=config.vocab_size, n_positions=config.block_size, **sizes)
        )
    if isinstance(ours, GPT):
        theirs.load_state_dict({k: v.T if k.endswith(CONV1D) else v for k, v in ours.state_dict().items()})
    return theirs
