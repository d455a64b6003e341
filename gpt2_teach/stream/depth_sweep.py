"""The residual stream of models of many depths, measured block by block to save memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from gpt2_teach.checks import as_generator, positive_int
from gpt2_teach.config import GPTConfig, checked_config
from gpt2_teach.initialization import INIT_STD
from gpt2_teach.model import build_gpt


@dataclass(frozen=True)
class Sweep:
    """Std of the stream for models of many depths; each path has 2 * n_layer + 1 entries."""

    depths: list[int]
    scaled_paths: list[list[float]]  # with residual scaling, one path per depth
    unscaled_paths: list[list[float]]

    @property
    def scaled(self) -> list[float]:
        """Return the std after the last block, before `ln_f`, for each depth."""
        return [path[-1] for path in self.scaled_paths]

    @property
    def unscaled(self) -> list[float]:
        """Return the same std for models without residual scaling."""
        return [path[-1] for path in self.unscaled_paths]

    def at(self, depths: Sequence[int]) -> Sweep:
        """Return the sweep at some of its depths."""
        rows = [self.depths.index(depth) for depth in depths]
        scaled = [self.scaled_paths[row] for row in rows]
        return Sweep(list(depths), scaled, [self.unscaled_paths[row] for row in rows])


@torch.no_grad()
def sweep_depths(
    config: GPTConfig, depths: Sequence[int], *, tokens: int = 64, generator: torch.Generator | int
) -> Sweep:
    """Measure the stream of models of the given `depths`, scaled and not, building one block at a time.

    Models of all depths share their random blocks, so each block is built, used and dropped once. This takes
    less than 1 GB for 48 layers at GPT-2's width. Scaling needs no second model: biases are zero at
    initialization, so scaling the output of `c_proj` is the same as scaling its weight.

    Args:
        config: the sizes; `n_layer` is ignored.
        depths: numbers of layers, each at least 1.
        tokens: length T of the random sequence, from 1 to `block_size`.
        generator: a `torch.Generator`, or a whole number used as a seed.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> sweep = sweep_depths(GPTConfig.preset("tiny"), [1, 16], generator=0)
    >>> sweep.unscaled[1] > 2 * sweep.unscaled[0] and sweep.scaled[1] < 2 * sweep.scaled[0]
    True
    """
    checked_config(config)
    depths = [positive_int("depths", depth) for depth in depths]
    if not depths:
        raise ValueError("depths must contain at least one number of layers, got none")
    tokens = positive_int("tokens", tokens)
    if tokens > config.block_size:
        raise ValueError(f"tokens must be at most block_size={config.block_size}, got {tokens}")
    generator = as_generator("generator", generator)
    order = sorted(set(depths))

    wte = torch.empty(config.vocab_size, config.n_embd).normal_(std=INIT_STD, generator=generator)
    wpe = torch.empty(tokens, config.n_embd).normal_(std=INIT_STD, generator=generator)
    idx = torch.randint(config.vocab_size, (tokens,), generator=generator)  # (T,)
    # one row without scaling, shared by all depths, and one scaled row per depth: (1 + D, T, C)
    x = (wte[idx] + wpe).repeat(1 + len(order), 1, 1)
    del wte
    scale = torch.tensor([1.0] + [(2 * depth) ** -0.5 for depth in order]).view(-1, 1, 1)

    one_block = replace(config, n_layer=1, vocab_size=1, block_size=1)
    paths: list[list[float]] = [[std] for std in _stds(x)]  # one path per row of x
    for layer in range(1, order[-1] + 1):
        block: Any = build_gpt(one_block, residual_scaling=False, generator=generator).transformer.h[0]
        done = sum(depth < layer for depth in order)  # these models are complete
        for branch, norm in ((block.attn, block.ln_1), (block.mlp, block.ln_2)):
            x = x + scale * branch(norm(x))  # (1 + D - done, T, C)
            for path, std in zip([paths[0], *paths[1 + done :]], _stds(x)):
                path.append(std)
        if layer in order:  # the shallowest remaining model ends here
            x, scale = torch.cat([x[:1], x[2:]]), torch.cat([scale[:1], scale[2:]])
    scaled = dict(zip(order, paths[1:]))
    return Sweep(
        depths,
        [list(scaled[depth]) for depth in depths],
        [paths[0][: 2 * depth + 1] for depth in depths],
    )


def _stds(x: Tensor) -> list[float]:
    """Return the std of all values in each row of (D, T, C)."""
    stds: list[float] = x.flatten(1).std(1).tolist()
    return stds
