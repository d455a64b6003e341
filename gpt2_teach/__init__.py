"""Teach how GPT-2 shares and initializes its parameters.

Importing this package costs what importing torch costs: all but one of the public names are loaded when
first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not when first used: the function has its module's name, and whoever imported the module before the
# function (as the plots do) would find the module under that name.
from gpt2_teach.random_walk import random_walk

__version__ = "0.1.0"

_HOME = {  # public name -> the module that holds it
    "GPT": "model",
    "GPTConfig": "config",
    "load_gpt2": "checkpoint",
    "plots": "plots",
    "residual_std": "initialization",
    "show_source": "display",
    "show_table": "display",
}
__all__ = sorted([*_HOME, "random_walk"])

if TYPE_CHECKING:
    from gpt2_teach import plots as plots
    from gpt2_teach.checkpoint import load_gpt2 as load_gpt2
    from gpt2_teach.config import GPTConfig as GPTConfig
    from gpt2_teach.display import show_source as show_source
    from gpt2_teach.display import show_table as show_table
    from gpt2_teach.initialization import residual_std as residual_std
    from gpt2_teach.model import GPT as GPT


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(__all__)}")
    module = import_module(f"{__name__}.{_HOME[name]}")
    value = module if name == _HOME[name] == "plots" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
