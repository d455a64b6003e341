"""The rule that initializes every tensor of a GPT-2, and tables of the expected and the measured std.

The rule is `_init_weights` in karpathy/build-nanogpt and in transformers' `GPT2PreTrainedModel`:
N(0, 0.02²) for every matrix, with the std divided by sqrt(2 * n_layer) in the two per block that write to
the residual stream. The scaling is from section 2.3 of Radford et al. (2019).
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from torch import nn

from gpt2_teach.checks import positive_int
from gpt2_teach.standard_error import measured_std, std_error

INIT_STD = 0.02  # of every embedding and every matrix that is not scaled

# A Linear here, a Conv1D in Hugging Face's class, whose rule also scales the c_proj of cross-attention.
RESIDUAL_PROJECTIONS = r"(^|\.)c_proj\.weight$"

_WRAPPERS = re.compile(r"(?<![^.])(_orig_mod|module)\.")  # of torch.compile and of DataParallel


def residual_std(n_layer: int) -> float:
    """Return the std of `attn.c_proj` and `mlp.c_proj`: 0.02 / sqrt(2 * n_layer).

    Raises TypeError or ValueError unless `n_layer` is a whole number of at least 1.

    >>> f"{residual_std(12):.5f}"
    '0.00408'
    """
    return INIT_STD * (2 * positive_int("n_layer", n_layer)) ** -0.5


def residual_projections(model: nn.Module, pattern: str = RESIDUAL_PROJECTIONS) -> dict[str, nn.Parameter]:
    """Return the matrices that write to the residual stream, by name, in layer order.

    A name selects Hugging Face's `Conv1D` (in, out) as well as `nn.Linear` (out, in). Raises ValueError if
    `pattern` matches no parameter, since otherwise a rule would silently scale nothing.
    """
    parameters = dict(model.named_parameters())
    found = {name: p for name, p in parameters.items() if re.search(pattern, _WRAPPERS.sub("", name))}
    if not found:
        example = next(iter(parameters), "(the model has none)")
        raise ValueError(f"pattern {pattern!r} matches no parameter of model; names look like {example!r}")
    return found


def expected_std(name: str, n_layer: int) -> float:
    """Return the std that the rule gives the parameter `name` of a GPT-2 with `n_layer` layers.

    Biases start at zero and LayerNorm weights at one: constants, with std 0. Raises TypeError or ValueError
    unless `n_layer` is a whole number of at least 1.

    >>> expected_std("transformer.wpe.weight", 12), expected_std("transformer.h.0.ln_1.weight", 12)
    (0.02, 0.0)
    """
    scaled, name = residual_std(n_layer), _WRAPPERS.sub("", name)
    if re.search(r"bias$|(^|\.)ln_", name):
        return 0.0
    return scaled if re.search(RESIDUAL_PROJECTIONS, name) else INIT_STD


@dataclass(frozen=True)
class TensorStd:
    """The expected and the measured std of one tensor."""

    name: str
    layer: int | None  # None outside the blocks
    kind: str  # the name without its layer, such as "attn.c_proj.weight"
    shape: tuple[int, ...]
    expected: float
    measured: float  # standard deviation of the values, about their mean
    error: float  # standard error of `measured` if `expected` is the true std

    @property
    def deviation(self) -> float:
        """Return `measured` minus `expected` in standard errors; infinite if a constant varies."""
        off = self.measured - self.expected
        return off / self.error if self.error else math.copysign(math.inf, off) if off else 0.0


def initialization_table(model: nn.Module) -> list[TensorStd]:
    """Return the expected and the measured std of every parameter of `model`, in the model's order.

    `model` is our `GPT` or a transformers `GPT2LMHeadModel`. A shared matrix is one row, under its first
    name. Raises ValueError if no residual projection is found.
    """
    residual_projections(model)  # raises if there are none
    rows, n_layer = [], number_of_layers(model)
    for name, values in model.named_parameters():
        layer, kind = layer_and_kind(name)
        expected = expected_std(name, n_layer)
        error = std_error(expected, values.numel())
        measured = measured_std(values)
        rows.append(TensorStd(name, layer, kind, tuple(values.shape), expected, measured, error))
    return rows


def number_of_layers(model: nn.Module) -> int:
    """Return the number of blocks, by the names of `model`'s parameters: a wrapper has no configuration."""
    return len({layer_and_kind(name)[0] for name, _ in model.named_parameters()} - {None})


def layer_and_kind(name: str) -> tuple[int | None, str]:
    """Split a parameter's name into its layer (None outside the blocks) and the rest, without wrappers.

    >>> layer_and_kind("transformer.h.3.attn.c_proj.weight")
    (3, 'attn.c_proj.weight')
    """
    match = re.fullmatch(r"(?:transformer\.)?(?:h\.(\d+)\.)?(.+)", _WRAPPERS.sub("", name))
    assert match is not None
    return int(match[1]) if match[1] else None, match[2]


@dataclass(frozen=True)
class KindStd:
    """The expected and the measured std of all tensors of one kind, one per layer."""

    kind: str  # such as "attn.c_proj.weight"
    tensors: int
    shape: tuple[int, ...]  # of each tensor
    expected: float  # std
    measured: float  # std, averaged over the tensors
    worst: float  # largest absolute deviation from `expected`, in standard errors


def by_kind(rows: Iterable[TensorStd]) -> list[KindStd]:
    """Summarize an `initialization_table` by kind, in the table's order.

    >>> from gpt2_teach import GPT, GPTConfig
    >>> table = initialization_table(GPT(GPTConfig.preset("tiny")))
    >>> [(kind.kind, kind.tensors) for kind in by_kind(table)][:3]
    [('wte.weight', 1), ('wpe.weight', 1), ('ln_1.weight', 4)]
    """
    groups: dict[str, list[TensorStd]] = {}
    for row in rows:
        groups.setdefault(row.kind, []).append(row)
    return [
        KindStd(
            kind=kind,
            tensors=len(group),
            shape=group[0].shape,
            expected=group[0].expected,
            measured=sum(row.measured for row in group) / len(group),
            worst=max(abs(row.deviation) for row in group),
        )
        for kind, group in groups.items()
    ]
