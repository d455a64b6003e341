"""Argument checks for tokens and generators, in addition to the general ones of `explorable`."""

import numbers
from typing import Any

import torch
from torch import Tensor, nn

from explorable.arguments import is_a as is_a
from explorable.arguments import number_between as number_between
from explorable.arguments import one_of as one_of
from explorable.arguments import positive_int as positive_int


def check_ids(model: nn.Module, idx: Tensor, targets: Tensor | None) -> None:
    """Raise unless `idx` and, if given, `targets` are token ids that fit `model` and have the same shape.

    `model` is our `GPT` or a transformers `GPT2LMHeadModel`.
    """
    config: Any = model.config
    _check_ids("idx", idx, config, next(model.parameters()).device)
    if targets is not None:
        _check_ids("targets", targets, config, idx.device)
        if targets.shape != idx.shape:
            raise ValueError(f"targets must have idx's shape, {tuple(idx.shape)}, got {tuple(targets.shape)}")


def _check_ids(name: str, ids: Tensor, config: Any, device: torch.device) -> None:
    block_size = getattr(config, "block_size", None) or config.n_positions
    if not isinstance(ids, torch.Tensor):
        raise TypeError(f"{name} must be a torch.Tensor of token ids, got {type(ids).__name__}")
    if ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"{name} must be whole numbers (torch.int64 or torch.int32), got {ids.dtype}")
    if ids.ndim != 2 or ids.numel() == 0:
        raise ValueError(f"{name} must have shape (B, T) with B and T at least 1, got {tuple(ids.shape)}")
    if ids.shape[1] > block_size:
        raise ValueError(f"{name} has {ids.shape[1]} tokens per row; block_size allows at most {block_size}")
    if ids.device != device:
        raise ValueError(f"{name} must be on the model's device, {device}, got {ids.device}")
    if ids.is_meta:  # shapes only: there are no ids to check
        return
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= config.vocab_size:
        raise ValueError(
            f"{name} must be from 0 to vocab_size - 1 = {config.vocab_size - 1}, got {low} to {high}"
        )


def as_generator(name: str, generator: object) -> torch.Generator:
    """Return `generator`, or a new generator seeded with it if it is a whole number."""
    if isinstance(generator, torch.Generator):
        return generator
    allowed = f"{name} must be a torch.Generator or a whole number from 0 to 2**63 - 1"
    if isinstance(generator, bool) or not isinstance(generator, numbers.Integral):
        raise TypeError(f"{allowed}, got {generator!r} ({type(generator).__name__})")
    if not 0 <= (seed := int(generator)) < 2**63:
        raise ValueError(f"{allowed}, got {generator!r}")
    return torch.Generator().manual_seed(seed)
