"""The gradients of the matrices of a model, by kind and block."""

from __future__ import annotations

from torch import Tensor, nn

from gpt2_teach.initialization import layer_and_kind


def parameter_gradients(model: nn.Module, idx: Tensor, targets: Tensor) -> dict[str, list[float]]:
    """Return, for each kind of matrix in the blocks of a `GPT`, the norm of the loss's gradient by block.

    `idx` and `targets` are (B, T) token ids. The gradients are removed afterwards. Raises whatever
    `model(idx, targets)` raises.

    >>> import torch
    >>> from gpt2_teach import GPT, GPTConfig
    >>> ids = torch.arange(16).view(1, 16)
    >>> norms = parameter_gradients(GPT(GPTConfig.preset("tiny")), ids, ids.roll(-1))
    >>> list(norms), len(norms["attn.c_proj"])
    (['attn.c_attn', 'attn.c_proj', 'mlp.c_fc', 'mlp.c_proj'], 4)
    """
    model.zero_grad()
    model(idx, targets)[1].backward()
    norms: dict[str, list[float]] = {}
    for name, parameter in model.named_parameters():
        layer, kind = layer_and_kind(name)
        if layer is not None and parameter.ndim == 2:
            assert parameter.grad is not None
            norms.setdefault(kind.removesuffix(".weight"), []).append(float(parameter.grad.norm()))
    model.zero_grad()
    return norms
