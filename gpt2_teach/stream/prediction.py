"""The residual stream, predicted from width, depth, std and sequence length alone.

In a wide network at initialization, the values of the stream at any two positions are jointly normal, so
their covariance describes them: a variance for each position and a cosine for each pair. This module passes
that (T, T) matrix through LayerNorm, attention and MLP.
Source of the method: Poole et al. (2016), "Exponential expressivity in deep neural networks through
transient chaos", and Lee et al. (2018), "Deep Neural Networks as Gaussian Processes". The attention
step is ours: it gives all visible positions equal weights, since at initialization the scores are too
small to prefer any.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import hermite_e
from numpy.polynomial.polynomial import polyval
from numpy.typing import NDArray

from gpt2_teach.checks import number_between, one_of, positive_int
from gpt2_teach.config import GPTConfig, checked_config
from gpt2_teach.initialization import INIT_STD

Matrix = NDArray[np.float64]

_LAYER_NORM_EPS = 1e-5  # nn.LayerNorm's default: about 1 % of the embedding's variance, 0.0008
_NORMAL, _WEIGHT = hermite_e.hermegauss(80)  # (80,) each: E[f(u)] = sum(weight * f(normal)) for u ~ N(0, 1)
_WEIGHT = _WEIGHT / _WEIGHT.sum()
_HERMITE = hermite_e.hermevander(_NORMAL, 11) / [math.sqrt(math.factorial(k)) for k in range(12)]  # (80, 12)


@dataclass(frozen=True)
class StreamPrediction:
    """Predicted std; entry 0 is the embedding, followed by attention and MLP of each block."""

    std: list[float]  # of the stream after each addition: 2 * n_layer + 1 numbers
    update_std: list[float]  # of the update at each addition: 2 * n_layer numbers
    cosine: list[float]  # mean cosine between two positions, after each addition


def predict_stream(
    config: GPTConfig,
    *,
    tokens: int = 64,
    residual_scaling: bool = True,
    std: float = INIT_STD,
) -> StreamPrediction:
    """Predict the stream of a fresh `GPT(config)` on `tokens` distinct random tokens.

    Args:
        config: the sizes; `vocab_size`, `block_size` and `n_head` are ignored.
        tokens: length T of the sequence, at least 2.
        residual_scaling: as in `build_gpt`.
        std: of every matrix before residual scaling, above 0 and at most 1.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> on, off = (predict_stream(GPTConfig(), residual_scaling=choice) for choice in (True, False))
    >>> off.std[-1] > 4 * on.std[-1]
    True
    """
    tokens = _checked(config, tokens, residual_scaling, std)
    # variance of each output of a matrix, for inputs of variance 1
    gain = config.n_embd * std**2
    # the std is scaled by 1/sqrt(N), so the variance by 1/N
    scale = 1 / config.n_residual if residual_scaling else 1.0
    # row t puts equal weights on positions 0 to t
    average = np.tril(np.ones((tokens, tokens)))
    average /= average.sum(1, keepdims=True)  # (T, T)

    # wte plus wpe: positions are still uncorrelated
    K = 2 * std**2 * np.eye(tokens)  # (T, T)
    stds, update_stds, cosines = [_std(K)], [], [_mean_cosine(K)]
    for _ in range(config.n_layer):
        for branch in ("attention", "mlp"):
            X = _layer_norm(K)
            if branch == "attention":
                # c_proj, applied to the averages of v
                out = scale * gain * average @ (gain * X) @ average.T
            else:
                # c_proj sums over 4 times as many inputs
                out = scale * 4 * gain * _gelu_covariance(gain * X)
            # `out` comes from a fresh random matrix: it is uncorrelated with K
            K = K + out
            stds.append(_std(K))
            update_stds.append(_std(out))
            cosines.append(_mean_cosine(K))
    return StreamPrediction(stds, update_stds, cosines)


def _checked(config: GPTConfig, tokens: int, residual_scaling: bool, std: float) -> int:
    checked_config(config)
    one_of("residual_scaling", residual_scaling, (True, False))
    number_between("std", std, 1e-6, 1.0)
    if positive_int("tokens", tokens) < 2:
        raise ValueError("tokens must be at least 2, got 1: a cosine needs two positions")
    return tokens


def _layer_norm(K: Matrix) -> Matrix:
    size = np.sqrt(np.diag(K) + _LAYER_NORM_EPS)
    return K / np.outer(size, size)


def _gelu_covariance(Z: Matrix) -> Matrix:
    """Return E[gelu(a) gelu(b)] for jointly normal a, b with covariance `Z` and (nearly) equal variances.

    Use the Hermite expansion of gelu: sum its squared coefficients times powers of the cosine.
    """
    variance = float(np.diag(Z).mean())
    z = math.sqrt(variance) * _NORMAL
    gelu = 0.5 * z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))
    return polyval(Z / variance, ((_WEIGHT * gelu) @ _HERMITE) ** 2)


def _std(K: Matrix) -> float:
    return float(np.sqrt(np.diag(K).mean()))


def _mean_cosine(K: Matrix) -> float:
    size = np.sqrt(np.diag(K))
    cosine = K / np.outer(size, size)
    T = len(K)
    return float((cosine.sum() - T) / (T * (T - 1)))
