"""What the book costs, measured now, as one table of ratios: medians within this run, against a peer.

    python tests/bench.py                    every line; takes some minutes
    python tests/bench.py imports walk       some of: imports build forward walk notebooks

Run it on a quiet machine. Nothing is asserted by time: what else runs moves every figure.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RUNS = 11

# The peak of the process that runs it, in bytes. Linux's ru_maxrss also remembers the parent that started it.
PEAK = """
try:
    with open("/proc/self/status") as _status:
        print(next(int(line.split()[1]) * 1024 for line in _status if line.startswith("VmHWM")))
except OSError:
    import resource, sys
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


class Line(NamedTuple):
    """One line of the table."""

    what: str
    ours: str
    peer: str
    ratio: str
    target: str


def in_turn(*works: Callable[[], Any], runs: int = RUNS) -> list[float]:
    """Median seconds of each: once to warm up, then one after the other, so that all meet the same noise."""
    times: list[list[float]] = [[] for _ in works]
    for run in range(runs + 1):
        for work, kept in zip(works, times, strict=True):
            start = time.perf_counter()
            result = work()
            elapsed = time.perf_counter() - start
            del result
            if run:
                kept.append(elapsed)
    return [statistics.median(kept) for kept in times]


def compare(what: str, ours: float, peer: float, target: float, unit: str = "ms") -> Line:
    """A line of the table from two times in seconds."""
    scale = {"ms": 1e3, "s": 1.0}[unit]
    a, b = (f"{value * scale:.3g} {unit}" for value in (ours, peer))
    return Line(what, a, b, f"{ours / peer:.2f}", f"at most {target:.2f}")


def imports() -> Iterator[Line]:
    """Fresh processes, in turn; the time is that of the import itself."""

    def median(statements: list[str]) -> list[float]:
        times: dict[str, list[float]] = {statement: [] for statement in statements}
        for _ in range(RUNS):
            for statement, kept in times.items():
                code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
                done = subprocess.run(
                    [sys.executable, "-c", code], capture_output=True, text=True, check=True
                )
                kept.append(float(done.stdout))
        return [statistics.median(kept) for kept in times.values()]

    package, gpt, torch = median(["import gpt2_teach", "from gpt2_teach import GPT", "import torch"])
    yield compare("import gpt2_teach, over import torch", package, torch, 1.05, "s")
    yield compare("from gpt2_teach import GPT, over import torch", gpt, torch, 1.05, "s")


def build() -> Iterator[Line]:
    """The whole model over the draws that it cannot do without."""
    import torch

    from gpt2_teach import GPT, GPTConfig
    from gpt2_teach.tying import parameter_counts

    floats = parameter_counts(GPTConfig()).tied
    ours, fill = in_turn(lambda: GPT(GPTConfig()), lambda: torch.empty(floats).normal_())
    yield compare("GPT(GPTConfig()), over one normal_ fill of as many new floats", ours, fill, 1.15, "s")


def forward() -> Iterator[Line]:
    """Both models in float32 without dropout, 1 x 256 tokens, with the same loss."""
    import torch
    from torch.nn.functional import cross_entropy
    from transformers import GPT2Config, GPT2LMHeadModel

    from gpt2_teach import GPT, GPTConfig

    ours, theirs = GPT(GPTConfig()), GPT2LMHeadModel(GPT2Config(use_cache=False)).eval()
    ids = torch.randint(50257, (1, 257), generator=torch.Generator().manual_seed(0))
    idx, targets = ids[:, :-1], ids[:, 1:]

    def forward_ours() -> None:
        with torch.no_grad():
            ours(idx, targets)

    def forward_theirs() -> None:
        with torch.no_grad():
            cross_entropy(theirs(idx).logits.flatten(0, 1), targets.flatten())

    def backward_ours() -> None:
        ours.zero_grad()
        ours(idx, targets)[1].backward()

    def backward_theirs() -> None:
        theirs.zero_grad()
        cross_entropy(theirs(idx).logits.flatten(0, 1), targets.flatten()).backward()

    size = "1 x 256 tokens at 124M, over GPT2LMHeadModel"
    for what, works in (
        ("forward", (forward_ours, forward_theirs)),
        ("forward and backward", (backward_ours, backward_theirs)),
    ):
        mine, reference = in_turn(*works)
        yield compare(f"{what}, {size}", mine, reference, 1.0, "s")


def walk() -> Iterator[Line]:
    """Both walks over filling as many numbers that are there already."""
    import torch

    from gpt2_teach import random_walk

    table = torch.empty(2, 1000, 768)

    def walks() -> None:
        random_walk(1000, generator=0)
        random_walk(1000, scaled=True, generator=1)

    ours, fill = in_turn(walks, table.normal_, runs=101)
    yield compare("random_walk of 1000 steps, scaled and not, over filling as many numbers", ours, fill, 1.3)


def notebooks() -> Iterator[Line]:
    """Each in a kernel of its own and an empty folder; its peak of resident memory."""
    import nbformat
    from nbclient import NotebookClient

    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
        with tempfile.TemporaryDirectory() as folder:
            metadata = {"metadata": {"path": folder}}
            client = NotebookClient(notebook, timeout=1200, kernel_name="python3", resources=metadata)
            client.extra_arguments = ["--log-level=ERROR"]
            client.execute()
        peak = int(notebook.cells[-1].outputs[0].text)
        yield Line(f"peak memory of {path.name}", f"{peak / 1e9:.2f} GB", "", "", "under 1.50 GB")


LINES = {function.__name__: function for function in (notebooks, imports, build, walk, forward)}


def main(wanted: list[str]) -> None:
    """Measure and print."""
    from tabulate import tabulate

    unknown = sorted(set(wanted) - set(LINES))
    if unknown:
        sys.exit(f"there is no line {', '.join(unknown)}; there are: {', '.join(LINES)}")
    rows: list[Line] = []
    for name in wanted or LINES:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += LINES[name]()
    print(
        tabulate(
            rows, ["what", "ours", "peer", "ratio", "target"], "simple", colalign=["left"] + ["right"] * 4
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])
