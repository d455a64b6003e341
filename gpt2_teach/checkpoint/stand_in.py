"""The stand-in: a labelled, randomly initialized GPT-2, used if the trained one cannot be loaded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gpt2_teach.checkpoint.model_source import NAME_VARIABLE

if TYPE_CHECKING:
    import torch
    from transformers import GPT2LMHeadModel

REQUIRE_VARIABLE = "GPT2_TEACH_REQUIRE_REAL"
SOURCE = "a full-size `GPT2LMHeadModel(GPT2Config())`, randomly initialized"

_HOW_TO_LOAD = (
    f"connect to the network and run this again, or set the environment variable `{NAME_VARIABLE}` to a "
    "folder that contains `config.json` and `model.safetensors`, or to the name of a GPT-2 on the Hugging "
    "Face Hub"
)


def check_allowed(name: str, reason: str) -> None:
    """Raise RuntimeError if `GPT2_TEACH_REQUIRE_REAL` forbids a stand-in for `name`."""
    if os.environ.get(REQUIRE_VARIABLE, "0") not in ("", "0"):
        raise RuntimeError(
            f"{name} could not be loaded: {reason}. {REQUIRE_VARIABLE} is set, so a stand-in is not allowed; "
            f"{_HOW_TO_LOAD}"
        )


def random_gpt2(generator: torch.Generator) -> GPT2LMHeadModel:
    """Return a GPT-2 small with the random initial values that transformers gives it."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    seed = int(torch.randint(2**62, (), generator=generator))
    with torch.random.fork_rng(devices=[]):  # transformers draws from the global generator
        torch.default_generator.manual_seed(seed)
        return GPT2LMHeadModel(GPT2Config())


def label(source: str, reason: str) -> str:
    """Return the Markdown that tells readers that `source` is a stand-in, and why."""
    return (
        "> **This is a stand-in, not the trained GPT-2.** The trained weights could not be loaded "
        f"from {reason}. The model used instead is {source}.\n>\n"
        "> It has the same names, shapes, parameter counts, shared matrix and initialization rule as GPT-2. "
        "**It shows nothing that was learned:** no trained values, and no predictions of a trained "
        "model.\n>\n"
        f"> To load the trained model, {_HOW_TO_LOAD}."
    )
