"""From which distribution every tensor of a GPT-2 starts, and what it holds now.

The rule is that of `_init_weights` in karpathy/build-nanogpt and of transformers' `GPT2PreTrainedModel`:
N(0, 0.02²) for every matrix, divided by sqrt(2 * n_layer) for the two that write to the residual stream.
The scaling is from section 2.3 of Radford et al. (2019).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from torch import nn

from gpt2_teach._checks import number_between, positive_int

INIT_STD = 0.02  # of every embedding and every matrix that is not scaled

RESIDUAL_PROJECTIONS = r"(^|\.)(attn|mlp)\.c_proj\.weight$"  # a Linear here, a Conv1D in Hugging Face's class

# the parts of a parameter's name, in the order in which a token meets them
_ORDER = "transformer wte wpe h ln_1 attn ln_2 mlp c_attn c_fc c_proj ln_f lm_head weight bias".split()


def residual_std(n_layer: int) -> float:
    """Std of the weights of `attn.c_proj` and `mlp.c_proj`: 0.02 / sqrt(2 * n_layer).

    Raises TypeError or ValueError unless `n_layer` is a whole number of at least 1.

    >>> f"{residual_std(12):.5f}"
    '0.00408'
    """
    return INIT_STD * (2 * positive_int("n_layer", n_layer)) ** -0.5


def first_loss(vocab_size: int, logit_std: float) -> float:
    """Expected loss in nats of a model that knows nothing: ln(vocab_size) + logit_std² / 2.

    Holds for normal logits that have nothing to do with the targets, if their standard deviation `logit_std`
    is well below sqrt(2 ln(vocab_size)), which is 4.65 for GPT-2's vocabulary. Raises TypeError or
    ValueError unless `vocab_size` is a whole number of at least 1 and `logit_std` at least 0.

    >>> round(first_loss(50257, 0.0), 3)
    10.825
    """
    logit_std = number_between("logit_std", logit_std, 0.0, math.inf)
    return math.log(positive_int("vocab_size", vocab_size)) + logit_std**2 / 2


def layer_order(names: Iterable[str]) -> list[str]:
    """Parameter names in the order of the forward pass, layer 2 before layer 10.

    Sorted as text, as in a safetensors file, layer 10 comes before layer 2.

    >>> layer_order(["h.10.ln_1.bias", "ln_f.bias", "h.2.ln_1.bias", "wte.weight"])
    ['wte.weight', 'h.2.ln_1.bias', 'h.10.ln_1.bias', 'ln_f.bias']
    """

    def place(part: str) -> tuple[int, str]:
        if part.isdigit():
            return int(part), ""
        return _ORDER.index(part) if part in _ORDER else len(_ORDER), part

    def key(name: str) -> list[tuple[int, str]]:
        return [place(part) for part in name.removeprefix("transformer.").split(".")]

    return sorted(names, key=key)


def residual_projections(model: nn.Module, pattern: str = RESIDUAL_PROJECTIONS) -> dict[str, nn.Parameter]:
    """The matrices that write to the residual stream, by name, in layer order.

    Found by name, not by class, so that Hugging Face's `Conv1D` (in, out) counts as well as `nn.Linear`
    (out, in). Raises ValueError if `pattern` matches no parameter: a selector that finds nothing would
    scale nothing, without a word.
    """
    parameters = dict(model.named_parameters())
    found = [name for name in parameters if re.search(pattern, name)]
    if not found:
        example = next(iter(parameters), "(the model has none)")
        raise ValueError(f"pattern {pattern!r} matches no parameter of model; names look like {example!r}")
    return {name: parameters[name] for name in layer_order(found)}


def expected_std(name: str, n_layer: int) -> float:
    """Std that the rule gives the parameter `name` of a GPT-2 of `n_layer` layers.

    Biases start at zero and LayerNorm weights at one: constants, of std 0. Raises TypeError or ValueError
    unless `n_layer` is a whole number of at least 1.

    >>> expected_std("transformer.wpe.weight", 12), expected_std("transformer.h.0.ln_1.weight", 12)
    (0.02, 0.0)
    """
    scaled = residual_std(n_layer)  # or raise, whatever the name
    if name.endswith("bias") or re.search(r"(^|\.)ln_", name):
        return 0.0
    return scaled if re.search(RESIDUAL_PROJECTIONS, name) else INIT_STD


@dataclass(frozen=True)
class TensorStd:
    """One tensor: the std that the rule gives it and the std of the values that it holds."""

    name: str
    layer: int | None  # None outside the blocks
    kind: str  # the name without its layer, such as "attn.c_proj.weight"
    shape: tuple[int, ...]
    expected: float
    measured: float  # standard deviation of the values, about their mean
    error: float  # standard error of `measured` if `expected` is the truth: expected / sqrt(2 (n - 1))

    @property
    def deviation(self) -> float:
        """How far `measured` is from `expected`, in standard errors; infinite where a constant varies."""
        off = self.measured - self.expected
        return off / self.error if self.error else math.copysign(math.inf, off) if off else 0.0


def initialization_table(model: nn.Module) -> list[TensorStd]:
    """Expected and measured std of every parameter of `model`, in layer order.

    `model` is our `GPT` or a transformers `GPT2LMHeadModel` (anything with `config.n_layer` and the
    checkpoint's names). Biases start at zero and LayerNorm weights at one: both have std 0. A shared matrix
    is one parameter and one row, under the first of its names. Raises ValueError if no residual projection
    is found.
    """
    residual_projections(model)  # or raise
    config: Any = model.config
    parameters = dict(model.named_parameters())
    rows = []
    for name in layer_order(parameters):
        values, (layer, kind) = parameters[name].detach(), layer_and_kind(name)
        expected = expected_std(name, config.n_layer)
        several = values.numel() > 1  # one value alone has no spread
        measured = float(values.std()) if several else 0.0
        error = expected / (2 * (values.numel() - 1)) ** 0.5 if several else expected
        rows.append(TensorStd(name, layer, kind, tuple(values.shape), expected, measured, error))
    return rows


def layer_and_kind(name: str) -> tuple[int | None, str]:
    """A parameter's layer, None outside the blocks, and its name without it.

    >>> layer_and_kind("transformer.h.3.attn.c_proj.weight")
    (3, 'attn.c_proj.weight')
    """
    match = re.fullmatch(r"(?:transformer\.)?(?:h\.(\d+)\.)?(.+)", name)
    assert match is not None
    return int(match[1]) if match[1] else None, match[2]
