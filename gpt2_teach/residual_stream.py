"""The residual stream of a model, measured by hooks: std, updates and gradient after each residual addition.

What is found is predicted in `stream_prediction`; `stream_sweep` measures many depths and never holds a
model.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from gpt2_teach._checks import check_ids
from gpt2_teach.model import GPT


@dataclass(frozen=True)
class Stream:
    """The stream of one model; entry 0 is the embedding, then attention and MLP of each block in turn."""

    std: list[float]  # of all values, after each addition: 2 * n_layer + 1 numbers
    update_std: list[float]  # of what each addition added: 2 * n_layer numbers
    cosine: list[float]  # mean cosine between two positions, after each addition
    update_cosine: float  # mean cosine between two of the updates, at the same position
    grad_norm: list[float] | None  # norm of the loss's gradient at the stream, if targets were given


def measure_stream(model: nn.Module, idx: Tensor, targets: Tensor | None = None) -> Stream:
    """Run `model` on token ids `idx` (B, T) and measure its stream after each residual addition.

    Dropout, which transformers' class has, is off while it runs.

    Args:
        model: a `GPT`, or a transformers `GPT2LMHeadModel`.
        idx: token ids, (B, T), with T at least 2.
        targets: token ids, (B, T); with them the gradient of the mean loss at the stream is measured too,
            without computing any parameter's gradient.

    Raises:
        TypeError, ValueError: the ids do not fit the model, or hold fewer than two positions.
    """
    config: Any = model.config
    block_size = config.block_size if isinstance(model, GPT) else config.n_positions
    device = next(model.parameters()).device
    check_ids(idx, targets, config.vocab_size, block_size, device)
    if idx.shape[1] < 2:
        raise ValueError("idx must hold at least 2 positions a row: a cosine takes two")
    body: Any = model.transformer
    points: list[Tensor] = []  # each (B, T, C)

    def before(module: nn.Module, args: tuple[Any, ...]) -> None:
        if torch.is_grad_enabled() and not args[0].requires_grad:
            args[0].requires_grad_()  # a frozen model has a gradient at its stream, too
        points.append(args[0])

    # what enters ln_1, ln_2 and ln_f is the stream itself, in our class and in Hugging Face's
    norms = [norm for block in body.h for norm in (block.ln_1, block.ln_2)] + [body.ln_f]
    hooks = [norm.register_forward_pre_hook(before) for norm in norms]
    grad_norm = None
    try:
        with torch.set_grad_enabled(targets is not None), _evaluating(model):
            logits = model(idx)[0]  # (B, T, V): first in our tuple and in Hugging Face's output
            if targets is not None:
                loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten().long())
                grad_norm = [float(grad.norm()) for grad in torch.autograd.grad(loss, points)]
    finally:
        for hook in hooks:
            hook.remove()
    points = [point.detach() for point in points]
    updates = [after - before for before, after in pairwise(points)]
    return Stream(
        std=[float(point.std()) for point in points],
        update_std=[float(update.std()) for update in updates],
        cosine=[_mean_cosine(point) for point in points],
        update_cosine=_mean_cosine(torch.stack(updates, dim=-2).flatten(0, 1)),
        grad_norm=grad_norm,
    )


@contextmanager
def _evaluating(model: nn.Module) -> Iterator[None]:
    """Inside the `with` block every module is in evaluation mode; after it, in the mode that it had."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


def _mean_cosine(vectors: Tensor) -> float:
    """Mean cosine between two different ones of the T vectors of each row of (B, T, C)."""
    T = vectors.shape[-2]
    units = nn.functional.normalize(vectors, dim=-1)
    total = units.sum(-2).square().sum(-1)  # (B,): the sum over all pairs, each with itself included
    return float(((total - T) / (T * (T - 1))).mean())
