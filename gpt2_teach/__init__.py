"""Teach how GPT-2 shares and initializes its parameters.

Public names are loaded when first used, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_MODULES = {  # public name -> the module that defines it
    "GPT": "model",
    "GPTConfig": "config",
    "build_gpt": "model",
    "demos": "demos",
    "load_gpt2": "checkpoint.load",
    "plots": "plots",
    "random_walk": "walk",
    "residual_std": "initialization",
}
__all__ = sorted(_MODULES)

if TYPE_CHECKING:
    from gpt2_teach import demos as demos
    from gpt2_teach import plots as plots
    from gpt2_teach.checkpoint.load import load_gpt2 as load_gpt2
    from gpt2_teach.config import GPTConfig as GPTConfig
    from gpt2_teach.initialization import residual_std as residual_std
    from gpt2_teach.model import GPT as GPT
    from gpt2_teach.model import build_gpt as build_gpt
    from gpt2_teach.walk import random_walk as random_walk


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(__all__)}")
    module = import_module(f"{__name__}.{_MODULES[name]}")
    value = getattr(module, name, module)  # `demos` and `plots` are modules themselves
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
