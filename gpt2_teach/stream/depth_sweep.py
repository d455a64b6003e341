"""The residual stream of models of many depths, measured block by block to save memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

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

    def at(self, depths: Sequence[int]) -> "Sweep":
        """Return the sweep at some of its depths."""
        rows = [self.depths.index(depth) for depth in depths]
        scaled = [self.scaled_paths[row] for row in rows]
        return Sweep(list(depths), scaled, [self.unscaled_paths[row] for row in rows])


@torch.no_grad()
def sweep_depths(
    config: GPTConfig, depths: Sequence[int], *, tokens: int = 64, generator: torch.Generator | int
) -> Sweep:
    """Measure the stream of models of the given `depths`, scaled and not, building one block at a time.

    Models of all depths share their random blocks, so 48 layers of GPT-2's width take less than 1 GB. Scaling
    needs no second model: biases are zero at initialization, so it is enough to scale the output of `c_proj`.

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
    if positive_int("tokens", tokens) > config.block_size:
        raise ValueError(f"tokens must be at most block_size={config.block_size}, got {tokens}")
    generator = as_generator("generator", generator)

    wte = torch.empty(config.vocab_size, config.n_embd).normal_(std=INIT_STD, generator=generator)
    wpe = torch.empty(tokens, config.n_embd).normal_(std=INIT_STD, generator=generator)
    idx = torch.randint(config.vocab_size, (tokens,), generator=generator)  # (T,)
    rows = [0, *sorted(set(depths))]  # row 0 is not scaled, and shared by all depths
    x = (wte[idx] + wpe).repeat(len(rows), 1, 1)  # (R, T, C)
    del wte
    scale = torch.tensor([1.0] + [(2 * depth) ** -0.5 for depth in rows[1:]]).view(-1, 1, 1)
    paths: dict[int, list[float]] = {row: [std] for row, std in zip(rows, x.flatten(1).std(1).tolist())}

    one_block = replace(config, n_layer=1, vocab_size=1, block_size=1)
    for layer in range(1, max(depths) + 1):
        block: Any = build_gpt(one_block, residual_scaling=False, generator=generator).transformer.h[0]
        for branch, norm in ((block.attn, block.ln_1), (block.mlp, block.ln_2)):
            x = x + scale * branch(norm(x))  # (R, T, C)
            for row, std in zip(rows, x.flatten(1).std(1).tolist()):
                paths[row].append(std)
        if layer == rows[1]:  # the shallowest remaining model ends here
            rows, x, scale = rows[:1] + rows[2:], torch.cat([x[:1], x[2:]]), torch.cat([scale[:1], scale[2:]])
    return Sweep(
        depths, [list(paths[depth]) for depth in depths], [paths[0][: 2 * depth + 1] for depth in depths]
    )
