"""The gradients of the matrices of a model, by kind and block."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from gpt2_teach.initialization import layer_and_kind


def parameter_gradients(model: nn.Module, idx: Tensor, targets: Tensor) -> dict[str, list[float]]:
    """Return, for each kind of matrix in the blocks of a `GPT`, the norm of the loss's gradient by block.

    `idx` and `targets` are (B, T) token ids. The model is not changed. Raises whatever `model(idx, targets)`
    raises.

    >>> from gpt2_teach import GPT, GPTConfig
    >>> ids = torch.arange(16).view(1, 16)
    >>> norms = parameter_gradients(GPT(GPTConfig.preset("tiny")), ids, ids.roll(-1))
    >>> list(norms), len(norms["attn.c_proj"])
    (['attn.c_attn', 'attn.c_proj', 'mlp.c_fc', 'mlp.c_proj'], 4)
    """
    names, matrices = zip(
        *((name, p) for name, p in model.named_parameters() if ".h." in name and p.ndim == 2)
    )
    norms: dict[str, list[float]] = {}
    for name, gradient in zip(names, torch.autograd.grad(model(idx, targets)[1], matrices)):
        norms.setdefault(layer_and_kind(name)[1].removesuffix(".weight"), []).append(float(gradient.norm()))
    return norms
