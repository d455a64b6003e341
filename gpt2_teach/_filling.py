"""Say what layers draw while they are built: nothing, or their own defaults from a given generator.

PyTorch fills every new layer (`nn.Linear.reset_parameters`). When a model then fills them by a rule of
its own, half of the time spent building it is thrown away; and those draws come from the global generator.
A `TorchFunctionMode` sees each call of `nn.init` made inside a `with` block, in this thread only, so the
layers themselves stay PyTorch's. Source: the `torch.overrides` documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

_FILLS = {nn.init.kaiming_uniform_, nn.init.uniform_, nn.init.normal_}  # what Linear and Embedding call


class layer_filling(TorchFunctionMode):  # noqa: N801 - read as a statement: `with layer_filling(...)`
    """Inside the `with` block, layers stay unfilled (`fill=False`) or draw from `generator`."""

    def __init__(self, *, fill: bool, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.fill = fill
        self.generator = generator

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if func in _FILLS:
            if not self.fill:
                return kwargs["tensor"] if "tensor" in kwargs else args[0]
            kwargs["generator"] = self.generator
        return func(*args, **kwargs)
