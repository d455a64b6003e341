"""Teach how GPT-2 shares and initializes its parameters.

The public names are loaded when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {  # public name -> the module that holds it
    "GPT": "model",
    "GPTConfig": "config",
    "demos": "demos",
    "load_gpt2": "checkpoint.load",
    "plots": "plots",
    "random_walk": "random_walk",
    "residual_std": "initialization",
}
__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from gpt2_teach import demos as demos
    from gpt2_teach import plots as plots
    from gpt2_teach.checkpoint.load import load_gpt2 as load_gpt2
    from gpt2_teach.config import GPTConfig as GPTConfig
    from gpt2_teach.initialization import residual_std as residual_std
    from gpt2_teach.model import GPT as GPT
    from gpt2_teach.random_walk import random_walk as random_walk


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(__all__)}")
    module = import_module(f"{__name__}.{_HOME[name]}")
    value = module if name in ("demos", "plots") else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Importing the module `random_walk` must not put it in the place of the function of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name == "random_walk" and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
