"""Common operations on a tied model and on an alias, and whether each preserves what the two layers share.

The book applies all of them while the page is built, so its table shows what the installed version of
PyTorch does.
"""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.tying import Tie, inspect_tie

Build = Callable[[], Any]  # returns a fresh GPT


def _load_state(build: Build, *, clone: bool = False, assign: bool = False) -> Any:
    model = build()
    state = build().state_dict()
    if clone:
        state = {name: tensor.clone() for name, tensor in state.items()}
    model.load_state_dict(state, assign=assign)
    return model


def _meta_then_to_empty(build: Build) -> Any:
    with torch.device("meta"):
        model = build()
    return model.to_empty(device="cpu")


OPERATIONS: dict[str, Callable[[Build], Any]] = {
    "none (as built)": lambda build: build(),
    "`copy.deepcopy(model)`": lambda build: copy.deepcopy(build()),
    "pickle and unpickle": lambda build: pickle.loads(pickle.dumps(build())),
    "`model.to(torch.float16)`": lambda build: build().to(torch.float16),
    "`model.double()`": lambda build: build().double(),
    "`load_state_dict(state)`": _load_state,
    "`load_state_dict(state, assign=True)`": lambda build: _load_state(build, assign=True),
    "`load_state_dict(clones, assign=True)`": lambda build: _load_state(build, clone=True, assign=True),
    "built on `meta`, then `to_empty`": _meta_then_to_empty,
}


@dataclass(frozen=True)
class Survival:
    """One row of the table: an operation and what the two layers share after it."""

    operation: str  # in Markdown
    tied: Tie  # after the operation on a tied model
    alias: Tie  # after the operation on an alias: two Parameters in the same memory


def tie_survival(config: GPTConfig) -> list[Survival]:
    """Apply each of `OPERATIONS` to a fresh tied GPT and to a fresh alias, and inspect what is shared.

    Every operation builds a few models, so `config` should be small.

    >>> rows = tie_survival(GPTConfig.preset("tiny"))
    >>> [row.operation for row in rows if row.tied.same_parameter and not row.alias.same_storage]
    ['`copy.deepcopy(model)`', 'pickle and unpickle', '`model.to(torch.float16)`', '`model.double()`']
    """

    def build_alias() -> GPT:
        model = build_gpt(config, tie=None)
        model.transformer.wte.weight.data = model.lm_head.weight.data
        return model

    rows = []
    for operation, perform in OPERATIONS.items():
        models = perform(lambda: GPT(config)), perform(build_alias)
        rows.append(Survival(operation, *(inspect_tie(m.transformer.wte, m.lm_head) for m in models)))
    return rows
