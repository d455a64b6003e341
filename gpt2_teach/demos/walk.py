"""The demos of chapter 3: the walk by number of steps, and with correlated steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from explorable.figure_svg import Draw
from gpt2_teach.demos.panels import blank, log_ticks, panel
from gpt2_teach.plots.style import FAINT, INK, SCALED, SCALING_CHOICES, UNSCALED, direct_label, in_book_style
from gpt2_teach.standard_error import std_error
from gpt2_teach.walk import walk_std


def walk_of_steps(path: Tensor, ns: Sequence[int]) -> Draw:
    """Return a function that draws the coordinates of one walk after `n` steps, and their std by `n`.

    `path` (steps + 1, width) is a `walk_path`, and `ns` are the numbers of steps that can be chosen. The
    scaled walk has the same steps, divided by sqrt(n).
    """
    widest, width = 3.2 * walk_std(ns[-1]), path.shape[1]
    stds = {n: (float(path[n].std()), float(path[n].std()) * n**-0.5) for n in ns}

    @in_book_style
    def draw(n: int) -> tuple[Figure, str]:
        figure = blank(5.6, 4.3)
        for left, x, color, is_scaled, reach, title in (
            (0.3, path[n], UNSCALED, False, widest, "steps of std 1"),
            (3.2, path[n] * n**-0.5, SCALED, True, 4.0, "steps of std 1/√n"),
        ):
            axes = panel(figure, (left, 2.75, 2.2, 1.2), xlim=(-reach, reach), ylim=(0, 1.3), yticks=[])
            axes.set_title(title, color=color)
            axes.set_xlabel("position")
            axes.spines["left"].set_visible(False)
            axes.grid(visible=False)
            _histogram(axes, x, walk_std(n, scaled=is_scaled), color)
        axes = panel(figure, (0.7, 0.55, 3.45, 1.4), xlim=(-0.08, 3.08), ylim=(-0.22, 1.75))
        axes.set(xlabel="number of steps n", ylabel="std")
        log_ticks(axes.xaxis, [1, 10, 100, 1000])
        log_ticks(axes.yaxis, [1, 3, 10, 30])
        axes.axvline(np.log10(n), color=FAINT, lw=1, ls=":")
        for is_scaled, color, name in SCALING_CHOICES:
            line = [np.log10(walk_std(m, scaled=is_scaled)) for m in (ns[0], ns[-1])]
            axes.plot(np.log10([ns[0], ns[-1]]), line, color=color, lw=1.4)
            axes.plot(np.log10(ns), np.log10([stds[m][is_scaled] for m in ns]), ":", color=color, lw=1.4)
            axes.plot(np.log10(n), np.log10(stds[n][is_scaled]), "o", color=color, ms=8)
            direct_label(axes, np.log10(ns[-1]), line[-1], f"{name}: {'1' if is_scaled else '√n'}", color)

        unscaled, scaled = stds[n]
        law = walk_std(n)
        return figure, (
            f"After {n:,} {'step' if n == 1 else 'steps'}, not scaled: the std is {unscaled:.2f}; by the "
            f"law it is √n = {law:.2f} ± {std_error(law, width):.2f}. Scaled by 1/√n: the std is "
            f"{scaled:.3f}; by the law it is 1 ± {std_error(1, width):.3f}."
        )

    return draw


def _histogram(axes: Axes, x: Tensor, law: float, color: str) -> None:
    """Plot a histogram and the normal curve that the law predicts, relative to the peak of that curve."""
    edges = np.linspace(-4, 4, 33)  # in units of `law`, so that every n has the same bars
    density, _ = np.histogram(x.numpy() / law, bins=edges, density=True)
    axes.stairs(density * np.sqrt(2 * np.pi), edges * law, fill=True, color=color, alpha=0.45)
    grid = np.linspace(-4, 4, 65)
    axes.plot(grid * law, np.exp(-0.5 * grid**2), color=INK, lw=1.2)


def walk_of_correlation(measured: Mapping[tuple[float, int], float]) -> Draw:
    """Return a function that draws a scaled walk's std for `rho`; `measured` is `{(rho, steps): std}`."""
    rhos, ns = sorted({rho for rho, _ in measured}), sorted({n for _, n in measured})
    every = np.geomspace(ns[0], ns[-1], 41).round().astype(int)
    laws = {rho: [np.log10(walk_std(int(n), scaled=True, rho=rho)) for n in every] for rho in rhos}

    @in_book_style
    def draw(rho: float, steps: int) -> tuple[Figure, str]:
        figure = blank(5.6, 3.4)
        axes = panel(figure, (0.7, 0.55, 4.75, 2.65), xlim=(-0.08, 3.08), ylim=(-0.15, 1.65))
        axes.set(xlabel="number of steps n", ylabel="std of the scaled walk")
        log_ticks(axes.xaxis, [1, 3, 10, 30, 100, 300, 1000])
        log_ticks(axes.yaxis, [1, 3, 10, 30])
        for other in [*rhos, rho]:  # the chosen rho again, on top
            axes.plot(np.log10(every), laws[other], color=SCALED, lw=1.2, alpha=0.35)
        axes.lines[-1].set(alpha=1, linewidth=2.2)
        axes.plot(np.log10(ns), np.log10([measured[rho, n] for n in ns]), "o", color=SCALED, ms=4.5)
        axes.axvline(np.log10(steps), color=FAINT, lw=1, ls=":")
        axes.plot(np.log10(steps), np.log10(measured[rho, steps]), "o", color=SCALED, ms=9)
        axes.text(0.02, 0.97, f"ρ = {rho:g}", transform=axes.transAxes, va="top", color=SCALED)
        axes.text(
            0.02, 0.87, "pale: the other ρ", transform=axes.transAxes, va="top", color=FAINT, fontsize=11
        )

        law = walk_std(steps, scaled=True, rho=rho)
        return figure, (
            f"With a correlation of {rho:g}, the std after {steps:,} {'step' if steps == 1 else 'steps'} "
            f"scaled by 1/√n is {measured[rho, steps]:.2f}; by the law √(1 + (n − 1)ρ) it is {law:.2f}. "
            f"Here (n − 1)ρ is {(steps - 1) * rho:,.4g}."
        )

    return draw
