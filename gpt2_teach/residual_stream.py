"""The residual stream, measured: its std, its updates and its gradient after each residual addition.

`measure_stream` looks into a given model by hooks; `sweep_depths` measures many depths without ever
holding a model. What they find is predicted in `stream_prediction`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from gpt2_teach._checks import as_generator, is_a, positive_int, token_ids
from gpt2_teach.config import GPTConfig
from gpt2_teach.initialization import INIT_STD
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
    token_ids("idx", idx, config.vocab_size, block_size, device)
    if targets is not None:
        token_ids("targets", targets, config.vocab_size, block_size, device)
        if targets.shape != idx.shape:
            raise ValueError(f"targets must have idx's shape, {tuple(idx.shape)}, got {tuple(targets.shape)}")
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


@dataclass(frozen=True)
class Sweep:
    """Std of the stream for models of many depths; each path is as long as `Stream.std`, 2 * n_layer + 1."""

    depths: list[int]
    scaled_paths: list[list[float]]  # with residual scaling, one path a depth
    unscaled_paths: list[list[float]]

    @property
    def scaled(self) -> list[float]:
        """Std after the last block, before `ln_f`: one number a depth."""
        return [path[-1] for path in self.scaled_paths]

    @property
    def unscaled(self) -> list[float]:
        """The same without residual scaling."""
        return [path[-1] for path in self.unscaled_paths]


@torch.no_grad()
def sweep_depths(
    config: GPTConfig, depths: Sequence[int], *, tokens: int = 64, generator: torch.Generator | int
) -> Sweep:
    """Measure the stream of models of the given `depths`, scaled and not, holding one block at a time.

    Models of all depths share their random blocks, so that each block is built once, used and dropped:
    under 1 GB for 48 layers at GPT-2's width. Scaling needs no second model, since at initialization the
    biases are zero, so multiplying the output of `c_proj` is multiplying its weight.

    Args:
        config: the sizes; `n_layer` is not used.
        depths: numbers of layers, each at least 1.
        tokens: length T of the one random sequence, from 1 to `block_size`.
        generator: a `torch.Generator`, or a whole number used as a seed.

    Raises:
        TypeError, ValueError: an argument is not among these.

    >>> sweep = sweep_depths(GPTConfig.preset("tiny"), [1, 16], generator=0)
    >>> sweep.unscaled[1] > 2 * sweep.unscaled[0] and sweep.scaled[1] < 2 * sweep.scaled[0]
    True
    """
    is_a("config", config, GPTConfig)
    depths = [positive_int("depths", depth) for depth in depths]
    if not depths:
        raise ValueError("depths must name at least one number of layers, got none")
    tokens = positive_int("tokens", tokens)
    if tokens > config.block_size:
        raise ValueError(f"tokens must be at most block_size={config.block_size}, got {tokens}")
    generator = as_generator("generator", generator)
    order = sorted(set(depths))

    wte = torch.empty(config.vocab_size, config.n_embd).normal_(std=INIT_STD, generator=generator)
    wpe = torch.empty(tokens, config.n_embd).normal_(std=INIT_STD, generator=generator)
    idx = torch.randint(config.vocab_size, (tokens,), generator=generator)  # (T,)
    # a row for each depth, and one without scaling that serves all depths: (1 + D, T, C)
    x = (wte[idx] + wpe).repeat(1 + len(order), 1, 1)
    del wte
    scale = torch.tensor([1.0] + [(2 * depth) ** -0.5 for depth in order]).view(-1, 1, 1)

    one_block = replace(config, n_layer=1, vocab_size=1, block_size=1)
    paths: list[list[float]] = [[std] for std in _stds(x)]  # a path for each row of x
    for layer in range(1, order[-1] + 1):
        block: Any = GPT(one_block, residual_scaling=False, generator=generator).transformer.h[0]
        done = sum(depth < layer for depth in order)  # these models have ended
        for branch, norm in ((block.attn, block.ln_1), (block.mlp, block.ln_2)):
            x = x + scale * branch(norm(x))  # (1 + D - done, T, C)
            for path, std in zip([paths[0], *paths[1 + done :]], _stds(x)):
                path.append(std)
        if layer in order:  # the shallowest model that is left ends here
            x, scale = torch.cat([x[:1], x[2:]]), torch.cat([scale[:1], scale[2:]])
    scaled = dict(zip(order, paths[1:]))
    return Sweep(
        depths,
        [list(scaled[depth]) for depth in depths],
        [paths[0][: 2 * depth + 1] for depth in depths],
    )


def _stds(x: Tensor) -> list[float]:
    """Std of each row of (D, T, C), all its values together."""
    stds: list[float] = x.flatten(1).std(1).tolist()
    return stds


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
