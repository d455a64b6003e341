"""The first loss of a tied GPT by the size of its shared matrix: why it matters whose values are kept.

With PyTorch's default initialization the embedding has std 1 and the head about 0.02, and tying keeps one of
the two: the question of issue 89 of karpathy/build-nanogpt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gpt2_teach._checks import number_between
from gpt2_teach.first_batch import FirstBatch, measure_first_loss
from gpt2_teach.model import GPT


@dataclass(frozen=True)
class SharedScale:
    """One batch through a GPT whose shared matrix has a given std; logits are in nats."""

    std: float  # of the shared matrix
    batch: FirstBatch
    stream_std: float  # of the residual stream as it comes to `ln_f`
    input_logit: float  # that a position gives to the very token it reads, averaged over positions


@torch.no_grad()
def sweep_shared_std(model: GPT, stds: Sequence[float], idx: Tensor, targets: Tensor) -> list[SharedScale]:
    """Rescale the shared matrix of a tied `model` to each of `stds` and measure; all else stays as it is.

    `idx` and `targets` are (B, T) token ids. The model gets its values back. Raises ValueError if `model` is
    not tied or a std is not above 0, and what `measure_first_loss` raises.

    >>> from gpt2_teach.config import GPTConfig
    >>> model = GPT(GPTConfig.preset("tiny"), tie="wte", init="pytorch", generator=0)
    >>> ids = torch.arange(64).view(1, 64)
    >>> small, large = sweep_shared_std(model, [0.02, 1.0], ids, ids.roll(-1))
    >>> large.batch.loss > 3 * small.batch.loss
    True
    """
    matrix = model.lm_head.weight
    if model.transformer.wte.weight is not matrix:
        raise ValueError("model must be tied: its wte and its lm_head must hold one Parameter")
    stds = [number_between("stds", std, 0.0, 1e6) for std in stds]
    if not all(stds):
        raise ValueError("stds must lie above 0, got 0")
    if not matrix.std() > 0:
        raise ValueError("model must have a shared matrix of different values: there is nothing to rescale")
    before = matrix.clone()
    seen: dict[str, Tensor] = {}
    hooks = [
        model.transformer.ln_f.register_forward_pre_hook(lambda _, inputs: seen.update(stream=inputs[0])),
        model.lm_head.register_forward_hook(lambda _, inputs, logits: seen.update(logits=logits)),
    ]
    rows = []
    try:
        for std in stds:
            matrix.copy_(before).mul_(std / before.std())
            batch = measure_first_loss(model, idx, targets)
            own = seen["logits"].gather(-1, idx[..., None].long())  # (B, T, 1) of (B, T, vocab_size)
            rows.append(SharedScale(std, batch, float(seen["stream"].std()), float(own.mean())))
    finally:
        matrix.copy_(before)
        for hook in hooks:
            hook.remove()
    return rows
