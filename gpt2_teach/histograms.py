"""Histograms of the values in a model: of single tensors, and of whole layers.

Every function takes our `GPT` or a transformers `GPT2LMHeadModel`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gpt2_teach.checks import positive_int
from gpt2_teach.initialization import expected_std, layer_and_kind, number_of_layers, residual_projections
from gpt2_teach.standard_error import measured_std

_LIMIT = 0.07  # the edges go from -_LIMIT to _LIMIT: 3.5 times the std of the rule


@dataclass(frozen=True)
class Histogram:
    """The distribution of the values of one or more tensors."""

    layer: int | None  # None outside the blocks
    kind: str
    edges: Tensor  # (bins + 1,), in the units of the weights
    density: Tensor  # (bins,), share of all values per unit of weight; integrates to the share within `edges`
    expected: float  # std that the rule gives
    measured: float  # std of the values, about their mean


def value_histogram(model: nn.Module, kind: str, layer: int | None = None, *, bins: int = 100) -> Histogram:
    """Return the histogram of one tensor of `model`.

    `kind` is a parameter's name without its layer, such as `"attn.c_proj.weight"`; `layer` is None for
    `"wte.weight"`, `"wpe.weight"` and `ln_f`. Raises ValueError if there is no such parameter, and TypeError
    or ValueError unless `bins` is a whole number of at least 1.
    """
    found = [p for name, p in model.named_parameters() if layer_and_kind(name) == (layer, kind)]
    if not found:
        raise ValueError(f"there is no parameter of kind {kind!r} in layer {layer!r}")
    return _histogram(model, found, kind, layer, positive_int("bins", bins))


def layer_histograms(model: nn.Module) -> list[tuple[Histogram, Histogram]]:
    """Return a pair of histograms for each layer: its residual projections and its other matrices.

    Raises ValueError if there are no residual projections.
    """
    scaled = residual_projections(model)
    groups: dict[int, tuple[list[Tensor], list[Tensor]]] = {}
    for name, parameter in model.named_parameters():
        layer, _ = layer_and_kind(name)
        if layer is not None and parameter.ndim == 2:
            groups.setdefault(layer, ([], []))[name not in scaled].append(parameter)
    return [
        (
            _histogram(model, projections, "mlp.c_proj.weight", layer),
            _histogram(model, others, "mlp.c_fc.weight", layer),
        )
        for layer, (projections, others) in groups.items()
    ]


def _histogram(
    model: nn.Module, tensors: Sequence[Tensor], kind: str, layer: int | None, bins: int = 100
) -> Histogram:
    values = torch.cat([tensor.detach().flatten() for tensor in tensors]).float()
    return Histogram(
        layer=layer,
        kind=kind,
        edges=torch.linspace(-_LIMIT, _LIMIT, bins + 1),
        density=torch.histc(values, bins, -_LIMIT, _LIMIT) / (values.numel() * (2 * _LIMIT / bins)),
        expected=expected_std(kind, number_of_layers(model)),
        measured=measured_std(values),
    )
