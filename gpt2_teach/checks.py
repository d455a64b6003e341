"""Argument checks: an error names the argument, its value and what is allowed."""

from __future__ import annotations

import numbers
from typing import Any

import torch
from torch import Tensor, nn


def positive_int(name: str, value: object) -> int:
    """Return `value` as an `int`, or raise if it is not a whole number of at least 1."""
    allowed = f"{name} must be a whole number of at least 1"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):  # numpy's integers are welcome
        raise TypeError(f"{allowed}, got {value!r} ({type(value).__name__})")
    whole = int(value)
    if whole < 1:
        raise ValueError(f"{allowed}, got {value!r}")
    return whole


def is_a(name: str, value: object, kind: type) -> None:
    """Raise unless `value` is an instance of `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {value!r} ({type(value).__name__})")


def one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise unless `value` is one of `allowed`."""
    if not any(isinstance(value, type(choice)) and value == choice for choice in allowed):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def number_between(name: str, value: object, low: float, high: float) -> float:
    """Return `value` as a `float`, or raise if it is not a number from `low` to `high`."""
    allowed = f"{name} must be a number from {low:g} to {high:g}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{allowed}, got {value!r} ({type(value).__name__})")
    number = float(value)
    if not low <= number <= high:  # also refuses nan
        raise ValueError(f"{allowed}, got {value!r}")
    return number


def token_ids(
    name: str, ids: object, vocab_size: int, block_size: int, device: torch.device | None = None
) -> None:
    """Raise unless `ids` is a (B, T) integer tensor with T <= block_size and all ids below vocab_size.

    Given `device`, the device of a model, `ids` must be on it.
    """
    if not isinstance(ids, torch.Tensor):
        raise TypeError(f"{name} must be a torch.Tensor of token ids, got {type(ids).__name__}")
    if ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"{name} must be whole numbers (torch.int64 or torch.int32), got {ids.dtype}")
    if ids.ndim != 2 or ids.numel() == 0:
        raise ValueError(f"{name} must have shape (B, T) with B and T at least 1, got {tuple(ids.shape)}")
    if ids.shape[1] > block_size:
        raise ValueError(f"{name} has {ids.shape[1]} tokens per row; block_size allows at most {block_size}")
    if device is not None and ids.device != device:
        raise ValueError(f"{name} must be on the model's device, {device}, got {ids.device}")
    if ids.is_meta:  # shapes only: there are no ids to check
        return
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= vocab_size:
        raise ValueError(f"{name} must be from 0 to vocab_size - 1 = {vocab_size - 1}, got {low} to {high}")


def check_ids(model: nn.Module, idx: Tensor, targets: Tensor | None) -> None:
    """Raise unless `idx`, and `targets` if given, are `token_ids` of one shape that fit `model`.

    `model` is our `GPT` or a transformers `GPT2LMHeadModel`.
    """
    config: Any = model.config
    block_size = getattr(config, "block_size", None) or config.n_positions
    device = next(model.parameters()).device
    token_ids("idx", idx, config.vocab_size, block_size, device)
    if targets is not None:
        token_ids("targets", targets, config.vocab_size, block_size, device)
        if targets.shape != idx.shape:
            raise ValueError(f"targets must have idx's shape, {tuple(idx.shape)}, got {tuple(targets.shape)}")


def as_generator(name: str, generator: object) -> torch.Generator:
    """Return `generator`, or a new generator seeded with it if it is a whole number."""
    if isinstance(generator, torch.Generator):
        return generator
    if isinstance(generator, bool) or not isinstance(generator, numbers.Integral):
        raise TypeError(
            f"{name} must be a torch.Generator or a whole number used as its seed, "
            f"got {generator!r} ({type(generator).__name__})"
        )
    seed = int(generator)
    if not 0 <= seed < 2**63:
        raise ValueError(f"{name} used as a seed must be from 0 to 2**63 - 1, got {generator!r}")
    return torch.Generator().manual_seed(seed)
