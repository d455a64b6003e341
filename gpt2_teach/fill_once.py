"""Fill each Parameter of a new model once, so that no draw is overwritten by a later one.

PyTorch fills every new layer with its defaults. A model's own rule then fills it again, and `Module.apply`
reaches a tied matrix twice, so that more than half of the numbers drawn for GPT-2 would be overwritten. Here
fills are only recorded while the model is built; afterwards the last one for each Parameter is carried out,
or earlier if anything but another fill uses the Parameter. Source: the documentation of `torch.overrides`.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

_DRAWS = {nn.init.kaiming_uniform_, nn.init.uniform_, nn.init.normal_}  # called by layers and by our rule
_FILLS = _DRAWS | {Tensor.fill_, Tensor.zero_}
_METADATA = {Tensor.dim, Tensor.size}
_METADATA |= {getattr(Tensor, name).__get__ for name in ("device", "grad_fn", "shape")}

P = ParamSpec("P")
M = TypeVar("M", bound=nn.Module)


class postponed_fills(TorchFunctionMode):  # noqa: N801 - read as a statement: `with postponed_fills() as fills:`
    """Record, within the `with` block, the last fill of each Parameter instead of carrying it out.

    Random fills draw from `generator`; `None` means PyTorch's global generator.
    """

    def __init__(self, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.generator = generator
        self.last: dict[Tensor, Callable[[], Any]] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func in _DRAWS and self.generator is not None:
            kwargs["generator"] = self.generator
        tensor = kwargs["tensor"] if "tensor" in kwargs else args[0] if args else None
        if func in _FILLS and isinstance(tensor, nn.Parameter):
            self.last[tensor] = partial(func, *args, **kwargs)
            return tensor
        if isinstance(tensor, nn.Parameter) and func not in _METADATA:
            with torch.no_grad():
                self.last.pop(tensor, lambda: None)()
        return func(*args, **kwargs)

    @torch.no_grad()
    def carry_out(self, model: nn.Module) -> None:
        """Fill the Parameters of `model` as recorded, in the order of `model.parameters()`."""
        for parameter in model.parameters():
            self.last.get(parameter, lambda: None)()


def fill_once(build: Callable[Concatenate[M, P], None]) -> Callable[Concatenate[M, P], None]:
    """Decorate a model's `__init__` so that each Parameter is filled once, after the model is built.

    >>> class Tied(nn.Module):
    ...     @fill_once
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.wte, self.lm_head = nn.Embedding(10, 4), nn.Linear(4, 10, bias=False)
    ...         self.wte.weight = self.lm_head.weight
    ...         self.apply(lambda module: nn.init.ones_(module.weight) if hasattr(module, "weight") else None)
    >>> Tied().wte.weight.sum().item()
    40.0
    """

    @wraps(build)
    def build_and_fill(self: M, *args: P.args, **kwargs: P.kwargs) -> None:
        with postponed_fills() as fills:
            build(self, *args, **kwargs)
        fills.carry_out(self)

    return build_and_fill


def visits(model: nn.Module) -> dict[str, list[str]]:
    """List, for each parameter, the modules at which `model.apply(rule)` reaches it, in order.

    The rule of karpathy/build-nanogpt and nanoGPT fills a parameter once per visit, and the last fill wins.

    >>> wte, lm_head = nn.Embedding(10, 4), nn.Linear(4, 10, bias=False)
    >>> wte.weight = lm_head.weight
    >>> visits(nn.ModuleDict(dict(wte=wte, lm_head=lm_head)))
    {'wte.weight': ['wte (Embedding)', 'lm_head (Linear)']}
    """
    names = {parameter: name for name, parameter in model.named_parameters()}
    visited: dict[str, list[str]] = {name: [] for name in names.values()}
    for name, module in model.named_modules():
        for parameter in module.parameters(recurse=False):
            visited[names[parameter]].append(f"{name} ({type(module).__name__})")
    return visited
