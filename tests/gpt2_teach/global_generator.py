"""A watch over PyTorch's global random generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def untouched() -> Iterator[None]:
    """Nothing inside the `with` block may draw from the global generator, or seed it."""
    torch.rand(1)  # away from the state that any seed leaves, so that being seeded once more is seen
    before = torch.get_rng_state()
    yield
    assert torch.equal(torch.get_rng_state(), before), "the global generator was drawn from or seeded"
