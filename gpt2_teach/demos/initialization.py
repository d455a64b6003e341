"""The demo of chapter 2: the values of a tensor, chosen by kind and layer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.figure import Figure

from explorable.figure_svg import Draw
from gpt2_teach.demos.panels import blank, panel
from gpt2_teach.histograms import Histogram
from gpt2_teach.initialization import INIT_STD, TensorStd
from gpt2_teach.plots.initialization import normal_density
from gpt2_teach.plots.style import FAINT, GRID, INK, SCALED, UNSCALED, in_book_style


def tensor_values(histograms: Iterable[Histogram], rows: Iterable[TensorStd]) -> Draw:
    """Return a function that draws a tensor's values by `kind` and `layer`, and the std of every layer.

    `histograms` has one entry per kind and layer, all with the same bins; `rows` is an
    `initialization_table`.
    """
    shapes = {(histogram.kind, histogram.layer): histogram for histogram in histograms}
    table = {(row.kind, row.layer): row for row in rows}

    @in_book_style
    def draw(kind: str, layer: int) -> tuple[Figure, str]:
        shape, row = shapes[kind, layer], table[kind, layer]
        name = kind.removesuffix(".weight")
        color = UNSCALED if row.expected == INIT_STD else SCALED
        figure = blank(5.6, 3.4)
        reach = float(shape.edges[-1])
        left = panel(figure, (0.75, 0.55, 2.5, 2.45), xlim=(-reach, reach), ylim=(0, 105))
        left.set(title=f"{name}, layer {layer}", xlabel="value of a weight", ylabel="density")
        left.set_xticks([-0.05, 0, 0.05], ["−0.05", "0", "0.05"])
        left.stairs(shape.density.numpy(), shape.edges.numpy(), fill=True, color=color, alpha=0.45, lw=0)
        x = np.linspace(-reach, reach, 141)
        left.plot(x, normal_density(x, row.expected), color=INK, lw=1.2)

        layers = sorted(at for at_kind, at in shapes if at_kind == kind and at is not None)
        right = panel(figure, (4.1, 0.55, 1.3, 2.45), xlim=(-1, layers[-1] + 1), ylim=(0, 0.024))
        right.set(title="std, every layer", xlabel="layer", xticks=[0, layers[-1]])
        right.axhline(row.expected, color=FAINT, lw=1.2)
        stds = [table[kind, at].measured for at in layers]
        right.plot(layers, stds, "o", color=GRID, ms=4, mec=FAINT, mew=0.8)
        right.plot(layer, row.measured, "o", color=color, ms=8)

        return figure, (
            f"{name} of layer {layer}: the std of its {np.prod(row.shape):,} "
            f"values is {row.measured:.6f}; the rule says {row.expected:.6f}, "
            f"{abs(row.deviation):.1f} standard errors away."
        )

    return draw
