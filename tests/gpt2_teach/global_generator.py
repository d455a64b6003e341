"""What is drawn: from which generator, how much of it, and how much at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


@contextmanager
def untouched() -> Iterator[None]:
    """Nothing inside the `with` block may draw from the global generator, or seed it."""
    torch.rand(1)  # away from the state that any seed leaves, so that being seeded once more is seen
    before = torch.get_rng_state()
    yield
    assert torch.equal(torch.get_rng_state(), before), "the global generator was drawn from or seeded"


class Draws(TorchDispatchMode):
    """Count the random numbers drawn in all and at most at once, and optionally draw ones instead."""

    def __init__(self, ones: bool = False) -> None:
        super().__init__()
        self.ones = ones
        self.count = self.largest = 0

    def __torch_dispatch__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        if any(word in func.__name__ for word in ("normal", "uniform", "rand")):
            self.count += out.numel()
            self.largest = max(self.largest, out.numel())
            if self.ones:
                out.fill_(1.0)
        return out
