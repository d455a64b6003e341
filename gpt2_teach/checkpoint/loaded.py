"""A GPT-2 that was loaded, and what its reader must know of it: trained weights, or a stand-in and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

NAME_VARIABLE = "GPT2_TEACH_CHECKPOINT"
REQUIRE_VARIABLE = "GPT2_TEACH_REQUIRE_REAL"

HOW_TO_GET_IT = (
    f"connect to the network and run this again, or set the environment variable `{NAME_VARIABLE}` to a "
    "folder that holds `config.json` and `model.safetensors`, or to a GPT-2's name on the Hugging Face Hub"
)


@dataclass(frozen=True, repr=False, eq=False)
class LoadedGPT2:
    """A GPT-2 of transformers and where it is from; as the value of a cell, it says so in words.

    >>> print(LoadedGPT2(model=None, is_stand_in=False, source="those in `my_folder`", reason=""))
    These are trained weights: those in my_folder.
    """

    model: GPT2LMHeadModel  # in float32, in eval mode
    is_stand_in: bool
    source: str  # what `model` is, in words
    reason: str  # why it is only a stand-in; empty if it is not

    def __str__(self) -> str:
        """The words without the marks of Markdown."""
        return re.sub(r"^> ?|[*`]", "", self._repr_markdown_(), flags=re.MULTILINE)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        if not self.is_stand_in:
            return f"These are trained weights: {self.source}."
        return (
            "> **This is a stand-in, not the trained GPT-2.** The trained weights could not be had: "
            f"{self.reason}. In their place stands {self.source}.\n>\n"
            "> Names, shapes, counts, the shared matrix and the rule of initialization are still those of "
            "GPT-2. **Not shown is anything that was learned:** the trained values, and what a trained "
            "model predicts.\n>\n"
            f"> To see the real one, {HOW_TO_GET_IT}."
        )
