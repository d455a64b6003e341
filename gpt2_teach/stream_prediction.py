"""The residual stream, predicted from width, depth, std and length alone.

In a wide network at initialization the values of the stream at two positions are jointly normal, so all
that one needs to follow is their covariance. This module carries that (T, T) matrix, variance on the
diagonal and cosines off it, through LayerNorm, attention and MLP.
Source of the method: Poole et al. (2016), "Exponential expressivity in deep neural networks through
transient chaos", and Lee et al. (2018), "Deep Neural Networks as Gaussian Processes"; the step through
attention is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpt2_teach._checks import number_between, one_of, positive_int
from gpt2_teach.config import GPTConfig
from gpt2_teach.initialization import INIT_STD

Matrix = NDArray[np.float64]
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(80)  # E[f(u)], u ~ N(0, 1)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class StreamPrediction:
    """Predicted std; entry 0 is the embedding, then attention and MLP of each block in turn."""

    std: list[float]  # of the stream after each addition: 2 * n_layer + 1 numbers
    update_std: list[float]  # of what each addition adds: 2 * n_layer numbers
    cosine: list[float]  # mean cosine between two positions, after each addition


def predict_stream(
    config: GPTConfig, *, tokens: int = 64, residual_scaling: bool = True, std: float = INIT_STD
) -> StreamPrediction:
    """Predict the stream of a fresh `GPT(config)` on `tokens` distinct random tokens.

    Args:
        config: the sizes; `vocab_size` and `block_size` do not matter.
        tokens: length T of the sequence, at least 2.
        residual_scaling: as in `GPT`.
        std: of every matrix before residual scaling, above 0 and at most 1.

    Raises:
        TypeError, ValueError: an argument is not among these.

    >>> scaled, unscaled = (predict_stream(GPTConfig(), residual_scaling=on).std[-1] for on in (True, False))
    >>> unscaled > 4 * scaled
    True
    """
    if positive_int("tokens", tokens) < 2:
        raise ValueError("tokens must be at least 2: a cosine between positions takes two")
    one_of("residual_scaling", residual_scaling, (True, False))
    if number_between("std", std, 0.0, 1.0) == 0:
        raise ValueError("std must be above 0")
    fan_in = config.n_embd * std**2  # variance that a matrix gives to each output, from inputs of variance 1
    branch = 1 / config.n_residual if residual_scaling else 1.0  # the scaling, as a variance
    causal = np.tril(np.ones((tokens, tokens)))
    average = causal / causal.sum(1, keepdims=True)  # row t: equal weights on positions 0 to t

    K = 2 * std**2 * np.eye(tokens)  # token and position embedding: independent, so variances add
    stds, updates, cosines = [_std(K)], [], [0.0]
    for _ in range(config.n_layer):
        for update in (
            branch * fan_in * _attention(fan_in * _correlation(K), average, fan_in),
            None,
        ):
            if update is None:
                update = branch * 4 * fan_in * _gelu_kernel(_correlation(K), fan_in)
            K = K + update  # what a branch adds is independent of what was there
            stds.append(_std(K))
            updates.append(_std(update))
            cosines.append(_mean_off_diagonal(_correlation(K)))
    return StreamPrediction(stds, updates, cosines)


def _attention(V: Matrix, average: Matrix, fan_in: float) -> Matrix:
    """Covariance of averages of values with covariance `V`."""
    return average @ V @ average.T
