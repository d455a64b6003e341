"""The values that a model holds, looked at from several sides: by kind, as histograms, by who fills them.

Every function takes our `GPT` or a transformers `GPT2LMHeadModel`. The visits are those of
`torch.nn.Module.apply`, which karpathy/build-nanogpt and nanoGPT fill their models with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gpt2_teach._checks import number_between, positive_int
from gpt2_teach.initialization import TensorStd, expected_std, layer_and_kind, residual_projections


@dataclass(frozen=True)
class KindStd:
    """All tensors of one kind, one a layer: what the rule gives them and what they hold."""

    kind: str  # such as "attn.c_proj.weight"
    tensors: int
    shape: tuple[int, ...]  # of each of them
    expected: float  # std
    measured: float  # std, the mean over the tensors
    worst: float  # of all tensors' deviations from `expected` the largest, in standard errors, without sign


def by_kind(rows: Iterable[TensorStd]) -> list[KindStd]:
    """Sum up an `initialization_table` by kind, in the table's order.

    >>> from gpt2_teach.initialization import initialization_table
    >>> from gpt2_teach.model import GPT, GPTConfig
    >>> table = initialization_table(GPT(GPTConfig.preset("tiny"), generator=0))
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


@dataclass(frozen=True)
class Histogram:
    """How the values of one or more tensors are distributed."""

    layer: int | None  # None outside the blocks
    kind: str
    edges: Tensor  # (bins + 1,), in the units of the weights
    density: Tensor  # (bins,), share of all values per unit of weight: its area is the share inside the edges
    expected: float  # std that the rule gives
    measured: float  # std of the values, about their mean


def value_histogram(
    model: nn.Module, kind: str, layer: int | None = None, *, limit: float = 0.07, bins: int = 100
) -> Histogram:
    """Histogram from `-limit` to `limit` of one tensor of `model`, chosen by kind and layer.

    `kind` is a parameter's name without its layer, such as `"attn.c_proj.weight"`; `layer` is None for
    `"wte.weight"`, `"wpe.weight"` and `ln_f`. Raises ValueError if there is no such parameter, or if
    `limit` is not above 0, and TypeError or ValueError unless `bins` is a whole number of at least 1.
    """
    found = [p for name, p in model.named_parameters() if layer_and_kind(name) == (layer, kind)]
    if not found:
        raise ValueError(f"there is no parameter of kind {kind!r} in layer {layer!r}")
    return _histogram(model, found, kind, layer, limit, bins)


def layer_histograms(
    model: nn.Module, *, limit: float = 0.07, bins: int = 100
) -> list[tuple[Histogram, Histogram]]:
    """A pair for each layer: its residual projections taken together, and its other matrices.

    Raises as `residual_projections` and `value_histogram` do.
    """
    scaled = residual_projections(model)
    parameters = [(name, layer_and_kind(name)[0], p) for name, p in model.named_parameters() if p.ndim == 2]
    layers = sorted({layer for _, layer, _ in parameters if layer is not None})
    return [
        (
            _histogram(
                model,
                [p for name, at, p in parameters if at == layer and name in scaled],
                "mlp.c_proj.weight",
                layer,
                limit,
                bins,
            ),
            _histogram(
                model,
                [p for name, at, p in parameters if at == layer and name not in scaled],
                "mlp.c_fc.weight",
                layer,
                limit,
                bins,
            ),
        )
        for layer in layers
    ]


def _histogram(
    model: nn.Module, tensors: Sequence[Tensor], kind: str, layer: int | None, limit: float, bins: int
) -> Histogram:
    if number_between("limit", limit, 0.0, 1e6) == 0:
        raise ValueError(f"limit must be above 0, got {limit!r}")
    edges = torch.linspace(-limit, limit, positive_int("bins", bins) + 1)
    values = torch.cat([tensor.detach().flatten() for tensor in tensors])
    return Histogram(
        layer=layer,
        kind=kind,
        edges=edges,
        density=torch.histc(values, bins, -limit, limit) / (values.numel() * (2 * limit / bins)),
        expected=expected_std(kind, int(model.config.n_layer)),  # type: ignore[union-attr, arg-type]
        measured=float(values.std()),
    )


def visits(model: nn.Module) -> dict[str, list[str]]:
    """The modules at which a plain `model.apply(rule)` meets each parameter, in the order of its visits.

    A rule that fills what it meets fills a parameter once a visit, and the last visit wins.

    >>> wte, lm_head = nn.Embedding(10, 4), nn.Linear(4, 10, bias=False)
    >>> wte.weight = lm_head.weight
    >>> visits(nn.ModuleDict(dict(wte=wte, lm_head=lm_head)))
    {'wte.weight': ['wte (Embedding)', 'lm_head (Linear)']}
    """
    parameters = {parameter: name for name, parameter in model.named_parameters()}
    modules = {module: f"{name} ({type(module).__name__})" for name, module in model.named_modules()}
    visited: dict[str, list[str]] = {name: [] for name in parameters.values()}

    def meet(module: nn.Module) -> None:
        for parameter in module.parameters(recurse=False):
            visited[parameters[parameter]].append(modules[module])

    model.apply(meet)
    return visited
