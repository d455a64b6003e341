"""Make the histograms of problem set 2: small GPT-2s, each initialized with one fault or none.

    python assignments/make_histograms.py FILE.npz

Students get the file, but neither this script nor the fault of each model. A model of n blocks has a code of
two characters. The array `CODE`, (2 + 5 * n, BINS), has the counts of one tensor in each row: wte, wpe, then
n rows for each kind inside the blocks. The bins of a kind have equal widths from -limit to limit, and
`CODE.limits`, (7,), has the limits in the order of KINDS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SEED = 1959
STD, WIDTH, BINS = 0.02, 64, 41  # an odd number of bins, so that zero is in the middle of one
DEPTHS = (4, 5, 6, 7, 8)
COPIES = 2  # models with each fault, so that one answer does not give away the next
KINDS = {  # shape of a Linear's weight, (out, in), or of an embedding; None: all biases of a block
    "wte.weight": (512, WIDTH),
    "wpe.weight": (128, WIDTH),
    "attn.c_attn.weight": (3 * WIDTH, WIDTH),
    "attn.c_proj.weight": (WIDTH, WIDTH),
    "mlp.c_fc.weight": (4 * WIDTH, WIDTH),
    "mlp.c_proj.weight": (WIDTH, 4 * WIDTH),
    "biases": None,
}
WRITES = ("attn.c_proj.weight", "mlp.c_proj.weight")  # to the residual stream
EMBEDDINGS = ("wte.weight", "wpe.weight")

# Each fault with the std that it gives a kind's weights in block `layer` (from 0) of `n`.
FAULTS: dict[str, Callable[[str, int, int], float]] = {
    "none": lambda kind, layer, n: STD / (2 * n) ** 0.5 if kind in WRITES else STD,
    "unscaled": lambda kind, layer, n: STD,
    "all-scaled": lambda kind, layer, n: STD if kind in EMBEDDINGS else STD / (2 * n) ** 0.5,
    "attention-only": lambda kind, layer, n: STD / (2 * n) ** 0.5 if kind == WRITES[0] else STD,
    "blocks-counted": lambda kind, layer, n: STD / n**0.5 if kind in WRITES else STD,
    "own-index": lambda kind, layer, n: STD / (2 * (layer + 1)) ** 0.5 if kind in WRITES else STD,
    "variance-scaled": lambda kind, layer, n: STD / (2 * n) ** 0.25 if kind in WRITES else STD,
    "std-as-variance": lambda kind, layer, n: STD**0.5 / ((2 * n) ** 0.5 if kind in WRITES else 1),
    "wpe-0.01": lambda kind, layer, n: STD / 2 if kind == "wpe.weight" else FAULTS["none"](kind, layer, n),
    "pytorch": lambda kind, layer, n: 1.0 if kind in EMBEDDINGS else (3 * fan_in(kind)) ** -0.5,
    "biases": lambda kind, layer, n: FAULTS["none"](kind, layer, n),
    "block-missed": lambda kind, layer, n: FAULTS["pytorch" if layer == n // 2 else "none"](kind, layer, n),
    "uniform": lambda kind, layer, n: FAULTS["none"](kind, layer, n),
    "truncated": lambda kind, layer, n: FAULTS["none"](kind, layer, n),
}


def fan_in(kind: str) -> int:
    """Return the number of inputs of the layer with this weight."""
    shape = KINDS[kind]
    assert shape is not None
    return shape[1]


def uniform(std: float, size: int, rng: np.random.Generator) -> Array:
    """Draw `size` numbers from a uniform distribution with mean 0 and standard deviation `std`."""
    return rng.uniform(-std * 3**0.5, std * 3**0.5, size)


def weights(fault: str, kind: str, layer: int, n: int, rng: np.random.Generator) -> Array:
    """Draw the values of one tensor, flat."""
    shape = KINDS[kind]
    assert shape is not None
    size, std = shape[0] * shape[1], FAULTS[fault](kind, layer, n)
    default = fault == "pytorch" or (fault == "block-missed" and layer == n // 2)  # PyTorch's values
    if fault == "uniform" or (default and kind not in EMBEDDINGS):
        return uniform(std, size, rng)
    values = rng.normal(0.0, std, size)
    while fault == "truncated" and (far := abs(values) > 2 * std).any():
        values[far] = rng.normal(0.0, std, far.sum())
    return values


def biases(fault: str, layer: int, n: int, rng: np.random.Generator) -> Array:
    """Return the biases of the four layers of one block: zeros, or PyTorch's random values."""
    shapes = [shape for kind, shape in KINDS.items() if shape and kind not in EMBEDDINGS]
    if fault in ("pytorch", "biases") or (fault == "block-missed" and layer == n // 2):
        return np.concatenate([uniform((3 * inputs) ** -0.5, out, rng) for out, inputs in shapes])
    return np.zeros(sum(out for out, _ in shapes))


def tensors(fault: str, kind: str, n: int, rng: np.random.Generator) -> list[Array]:
    """Draw all tensors of a kind, one for each block; an embedding is outside the blocks."""
    if kind in EMBEDDINGS:
        return [weights(fault, kind, -1, n, rng)]
    if kind == "biases":
        return [biases(fault, layer, n, rng) for layer in range(n)]
    return [weights(fault, kind, layer, n, rng) for layer in range(n)]


def models() -> Iterator[tuple[str, str, int]]:
    """Yield the code, fault and number of blocks of every model."""
    rng = np.random.default_rng(SEED)
    characters = "abcdefghkmnpqrstuvwxyz23456789"
    codes = rng.choice(
        [a + b for a in characters[:22] for b in characters], COPIES * len(FAULTS), replace=False
    )
    for i, fault in enumerate(FAULTS):
        depths = rng.choice(DEPTHS, COPIES, replace=False)
        for code, n in zip(codes[i * COPIES : (i + 1) * COPIES], depths):
            yield str(code), fault, int(n)


def histograms() -> dict[str, NDArray[np.generic]]:
    """Return the arrays of the file, sorted by code."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for index, (code, fault, n) in enumerate(sorted(models())):
        rng = np.random.default_rng([SEED, index])
        rows, limits = [], []
        for kind in KINDS:
            drawn = tensors(fault, kind, n, rng)
            limit = float(f"{1.05 * max(abs(values).max() for values in drawn) or 0.01:.2g}")
            rows += [np.histogram(values, BINS, (-limit, limit))[0] for values in drawn]
            limits.append(limit)
        arrays[code] = np.array(rows, dtype=np.uint16)
        arrays[f"{code}.limits"] = np.array(limits)
    return arrays


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python assignments/make_histograms.py FILE.npz")
    np.savez_compressed(Path(sys.argv[1]), **histograms())  # type: ignore[arg-type]
