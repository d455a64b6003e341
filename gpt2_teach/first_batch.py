"""What a model's first loss is, and how much of it is the luck of one batch.

Beside it stands `initialization.first_loss`, which predicts it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gpt2_teach._checks import token_ids


@dataclass(frozen=True)
class FirstBatch:
    """One batch through a model that has not been trained."""

    loss: float  # mean over the tokens, in nats
    standard_error: float  # of `loss`: std of the tokens' losses / sqrt(tokens)
    logit_std: float  # of all logits of the batch
    repeats: float  # share of the tokens at which the likeliest next token is the token itself
    likeliest: Tensor = field(compare=False)  # (B, T): the likeliest next token at each position


@torch.no_grad()
def measure_first_loss(model: nn.Module, idx: Tensor, targets: Tensor) -> FirstBatch:
    """Run a `GPT` on token ids `idx` (B, T) and compare its logits with `targets` (B, T).

    The standard error is that of one batch: other tokens through the same model would give a loss about
    that far away. Raises what `model(idx)` raises, and TypeError or ValueError if `targets` do not fit, or
    hold fewer than two tokens.

    >>> from gpt2_teach.model import GPT, GPTConfig
    >>> ids = torch.arange(64).view(1, 64)
    >>> batch = measure_first_loss(GPT(GPTConfig.preset("tiny"), generator=0), ids, ids.roll(1))
    >>> abs(batch.loss - torch.log(torch.tensor(256.0))) < 4 * batch.standard_error
    tensor(True)
    """
    logits = model(idx)[0].flatten(0, 1)  # (B * T, vocab_size)
    token_ids("targets", targets, logits.shape[-1], idx.shape[1])
    if targets.shape != idx.shape or targets.numel() < 2:
        raise ValueError(
            f"targets must have the shape of idx and at least 2 tokens, got shape {tuple(targets.shape)} "
            f"for idx of {tuple(idx.shape)}"
        )
    likeliest = logits.argmax(-1).view_as(idx)  # (B, T)
    losses = F.cross_entropy(logits, targets.flatten().long(), reduction="none")  # (B * T,)
    return FirstBatch(
        loss=float(losses.mean()),
        standard_error=float(losses.std()) / losses.numel() ** 0.5,
        logit_std=float(logits.std()),
        repeats=float((likeliest == idx).float().mean()),
        likeliest=likeliest,
    )
