"""Common operations on a tied model, and whether each preserves the tie.

Each operation has been reported to keep or break a tie. The book runs all of them while the page is built,
so its table shows what the installed version of PyTorch does.
"""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from gpt2_teach.tying import Tie, inspect_tie

Build = Callable[[], Any]  # returns a fresh tied model with `transformer.wte` and `lm_head`


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


def _copy_of_values(build: Build) -> Any:
    model = build()
    model.transformer.wte.weight = nn.Parameter(model.lm_head.weight.detach().clone())
    return model


def _alias_by_data(build: Build) -> Any:
    model = _copy_of_values(build)
    model.transformer.wte.weight.data = model.lm_head.weight.data
    return model


OPERATIONS: dict[str, Callable[[Build], Any]] = {
    "built with the assignment": lambda build: build(),
    "`copy.deepcopy(model)`": lambda build: copy.deepcopy(build()),
    "pickle and unpickle": lambda build: pickle.loads(pickle.dumps(build())),
    "`model.to(torch.float16)`": lambda build: build().to(torch.float16),
    "`load_state_dict(state)`": _load_state,
    "`load_state_dict(state, assign=True)`": lambda build: _load_state(build, assign=True),
    "`load_state_dict(clones, assign=True)`": lambda build: _load_state(build, clone=True, assign=True),
    "built on `meta`, then `to_empty`": _meta_then_to_empty,
    "`wte.weight.data = lm_head.weight.data`": _alias_by_data,
    "that alias, then `copy.deepcopy(model)`": lambda build: copy.deepcopy(_alias_by_data(build)),
    "`wte.weight = Parameter(copy)`": _copy_of_values,
}


@dataclass(frozen=True)
class Survival:
    """One row of the table: the operation, the tie after it, and the tie after re-tying."""

    operation: str  # in Markdown
    after: Tie
    retied: Tie  # after `model.transformer.wte.weight = model.lm_head.weight`


def tie_survival(build: Build) -> list[Survival]:
    """Apply each of `OPERATIONS` to a fresh model and inspect the tie, before and after re-tying.

    `build` takes no arguments and returns a fresh tied model with `transformer.wte` and `lm_head`; keep it
    small. Raises ValueError if `build()` is not tied.

    >>> from gpt2_teach import GPT, GPTConfig
    >>> rows = tie_survival(lambda: GPT(GPTConfig.preset("tiny")))
    >>> [row.operation for row in rows if row.after.same_pointer and not row.after.same_parameter]
    ['`load_state_dict(state, assign=True)`', '`wte.weight.data = lm_head.weight.data`']
    """
    rows: list[Survival] = []
    for operation, perform in OPERATIONS.items():
        model = perform(build)
        after = inspect_tie(model.transformer.wte, model.lm_head)
        if not rows and not after.same_parameter:
            raise ValueError("build must return a model whose wte and lm_head share one Parameter")
        model.transformer.wte.weight = model.lm_head.weight
        rows.append(Survival(operation, after, inspect_tie(model.transformer.wte, model.lm_head)))
    return rows
