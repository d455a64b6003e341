"""The residual stream of one model, measured by hooks: its std and the updates at each addition."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from gpt2_teach.checks import check_ids


@dataclass(frozen=True)
class Stream:
    """The stream of one model; entry 0 is the embedding, followed by attention and MLP of each block."""

    std: list[float]  # of all values, after each addition: 2 * n_layer + 1 numbers
    update_std: list[float]  # of the update at each addition: 2 * n_layer numbers
    cosine: list[float]  # mean cosine between two positions, after each addition
    update_cosine: float  # mean cosine between two updates at the same position


@torch.no_grad()
def measure_stream(model: nn.Module, idx: Tensor) -> Stream:
    """Run `model` on token ids `idx` (B, T) and measure its stream after each residual addition.

    Args:
        model: a `GPT`, or a transformers `GPT2LMHeadModel`.
        idx: token ids, (B, T), with T at least 2.

    Raises:
        TypeError, ValueError: the ids do not fit the model, or have fewer than two positions.
    """
    check_ids(model, idx, None)
    if idx.shape[1] < 2:
        raise ValueError("idx must have at least 2 positions per row, because a cosine needs two")
    body: Any = model.transformer
    points: list[Tensor] = []  # each (B, T, C)

    # the input of ln_1, ln_2 and ln_f is the stream itself, in our class and in Hugging Face's
    norms = [norm for block in body.h for norm in (block.ln_1, block.ln_2)] + [body.ln_f]
    hooks = [norm.register_forward_pre_hook(lambda _, inputs: points.append(inputs[0])) for norm in norms]
    modes = {module: module.training for module in model.modules()}
    try:
        model.eval()  # without dropout, which the transformers class has
        model(idx)
    finally:
        for hook in hooks:
            hook.remove()
        for module, mode in modes.items():
            module.training = mode
    points = [point.float() for point in points]  # statistics of low precision would be off
    updates = [after - before for before, after in pairwise(points)]
    return Stream(
        std=[float(point.std()) for point in points],
        update_std=[float(update.std()) for update in updates],
        cosine=[_mean_cosine(point) for point in points],
        update_cosine=_mean_cosine(torch.stack(updates, dim=-2).flatten(0, 1)),
    )


def _mean_cosine(vectors: Tensor) -> float:
    """Return the mean cosine between two different vectors of the T in each row of (B, T, C)."""
    T = vectors.shape[-2]
    units = nn.functional.normalize(vectors, dim=-1)
    total = units.sum(-2).square().sum(-1)  # (B,): the sum over all pairs, including each vector with itself
    return float(((total - T) / (T * (T - 1))).mean())
