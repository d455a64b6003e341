"""A walk of n random steps, and the law of its standard deviation.

The residual stream at initialization is such a walk: every branch adds another random vector. The law is the
variance of a sum, for example Feller (1968), chapter IX.
"""

import torch
from torch import Tensor

from gpt2_teach.checks import as_generator, number_between, one_of, positive_int

# Steps drawn at once: 32 * 768 floats fit into a cache, and are too few to split their sum among threads.
_CHUNK = 32


def random_walk(
    n: int,
    width: int = 768,
    *,
    scaled: bool = False,
    rho: float = 0.0,
    generator: torch.Generator | int,
) -> Tensor:
    """Return the position after `n` random steps from the origin, each drawn: (width,) float32.

    Memory does not grow with `n`: the n x width table is never built.

    Args:
        n, width: number of steps, and of independent coordinates.
        scaled: multiply every step by n ** -0.5, as GPT-2 scales its residual branches.
        rho: correlation between any two steps, from 0 to 1. A step is sqrt(rho) times a direction shared
            by all steps plus sqrt(1 - rho) times independent noise, so its variance is 1.
        generator: a `torch.Generator`, or a whole number used as a seed.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> bool(9 < random_walk(100, generator=0).std() < 11)  # 10 by the law, with a standard error of 0.26
    True
    """
    n, width, rho = _checked(n, width, scaled, rho)
    generator = as_generator("generator", generator)
    position = torch.zeros(width)
    steps = torch.empty(min(n, _CHUNK), width)
    for start in range(0, n, _CHUNK):
        chunk = steps[: n - start]
        position += chunk.normal_(generator=generator).sum(0)  # (width,)
    if rho:
        shared = torch.empty(width).normal_(generator=generator)
        position = (1 - rho) ** 0.5 * position + n * rho**0.5 * shared
    return position * n**-0.5 if scaled else position


def walk_path(n: int, width: int = 768, *, scaled: bool = False, generator: torch.Generator | int) -> Tensor:
    """Return the positions before the first step and after each of `n` steps: (n + 1, width) float32.

    Arguments and errors are the same as for `random_walk`, but the whole table is built, so keep it small.

    >>> walk_path(3, width=2, generator=0).shape
    torch.Size([4, 2])
    """
    n, width, _ = _checked(n, width, scaled, 0.0)
    steps = torch.empty(n, width).normal_(generator=as_generator("generator", generator))
    if scaled:
        steps = steps * n**-0.5
    return torch.cat([torch.zeros(1, width), steps.cumsum(0)])  # (n + 1, width)


def walk_std(n: int, *, scaled: bool = False, rho: float = 0.0) -> float:
    """Return the std that the law gives each coordinate after `n` steps: sqrt(n + n (n - 1) rho).

    `scaled` divides it by sqrt(n). Raises the same errors as `random_walk`.

    >>> walk_std(100), walk_std(100, scaled=True), round(walk_std(100, rho=0.1), 1)
    (10.0, 1.0, 33.0)
    """
    n, _, rho = _checked(n, 1, scaled, rho)
    variance = n + n * (n - 1) * rho
    return (variance / n if scaled else variance) ** 0.5


def _checked(n: int, width: int, scaled: bool, rho: float) -> tuple[int, int, float]:
    one_of("scaled", scaled, (True, False))
    return positive_int("n", n), positive_int("width", width), number_between("rho", rho, 0.0, 1.0)
