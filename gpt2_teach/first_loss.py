"""The loss of an untrained model: predicted, measured, and as a function of the std of its embeddings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from gpt2_teach.checks import check_ids, number_between, positive_int
from gpt2_teach.model import GPT


def first_loss(vocab_size: int, logit_std: float) -> float:
    """Return the expected loss in nats of an untrained model: ln(vocab_size) + logit_std² / 2.

    Valid for normal logits that are independent of the targets, if their standard deviation `logit_std` is
    well below sqrt(2 ln(vocab_size)), which is 4.65 for GPT-2's vocabulary. Raises TypeError or
    ValueError unless `vocab_size` is a whole number of at least 1 and `logit_std` at least 0.

    >>> round(first_loss(50257, 0.0), 3)
    10.825
    """
    logit_std = number_between("logit_std", logit_std, 0.0, math.inf)
    return math.log(positive_int("vocab_size", vocab_size)) + logit_std**2 / 2


def expected_repeats(vocab_size: int, own_logit: float) -> float:
    """Return the probability that the token just read has the largest logit of an untrained tied model.

    All logits are assumed to be independent and normal, with the same standard deviation. `own_logit` is the
    mean logit of the token just read, in units of it; the other logits have mean 0.

    >>> [round(expected_repeats(50257, own_logit), 1) for own_logit in (0.0, 4.25, 27.7)]
    [0.0, 0.5, 1.0]
    """
    z = torch.linspace(-8, 8, 1601, dtype=torch.float64)  # own logit minus its mean
    density = torch.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    largest = torch.special.ndtr(own_logit + z) ** (positive_int("vocab_size", vocab_size) - 1)
    return float(torch.trapezoid(density * largest, z))


@dataclass(frozen=True)
class FirstBatch:
    """Results of running one batch through an untrained model; logits and losses are in nats."""

    loss: float  # mean over the tokens
    standard_error: float  # of `loss`, for other tokens: std of the tokens' losses / sqrt(tokens)
    logit_std: float  # of all logits of the batch
    own_logit: float  # logit of the token just read, averaged over positions
    repeats: float  # share of positions at which the likeliest next token is the token just read
    stream_std: float  # of the residual stream that enters `ln_f`


@torch.no_grad()
def measure_first_loss(model: GPT, idx: Tensor, targets: Tensor) -> FirstBatch:
    """Run `model` on token ids `idx` (B, T) and compare its logits with `targets` (B, T).

    Raises whatever `model(idx, targets)` raises, and ValueError if there are fewer than two tokens.

    >>> from gpt2_teach import GPTConfig, build_gpt
    >>> ids = torch.arange(64).view(1, 64)
    >>> batch = measure_first_loss(build_gpt(GPTConfig.preset("tiny"), generator=0), ids, ids.roll(1))
    >>> abs(batch.loss - torch.log(torch.tensor(256.0))) < 4 * batch.standard_error
    tensor(True)
    """
    check_ids(model, idx, targets)
    if targets.numel() < 2:
        raise ValueError("targets must have at least 2 tokens, got 1: a standard error needs two")
    stream: list[Tensor] = []
    hook = model.transformer.ln_f.register_forward_pre_hook(lambda _, inputs: stream.append(inputs[0]))
    try:
        logits = model(idx)[0].flatten(0, 1)  # (B * T, vocab_size)
    finally:
        hook.remove()
    read = idx.flatten().long()  # (B * T,)
    losses = F.cross_entropy(logits, targets.flatten().long(), reduction="none")  # (B * T,)
    return FirstBatch(
        loss=float(losses.mean()),
        standard_error=float(losses.std()) / losses.numel() ** 0.5,
        logit_std=float(logits.std()),
        own_logit=float(logits.gather(-1, read[:, None]).mean()),
        repeats=float((logits.argmax(-1) == read).float().mean()),
        stream_std=float(stream[0].std()),
    )


@torch.no_grad()
def sweep_embedding_stds(
    model: GPT, stds: Sequence[float], position_stds: Sequence[float], idx: Tensor, targets: Tensor
) -> dict[tuple[float, float], FirstBatch]:
    """Rescale both embeddings of a tied `model` and measure the first batch for each pair of stds.

    The keys are (std of the shared matrix, std of `wpe`). The model is restored afterwards. Raises ValueError
    if `model` is not tied or a std is not above 0, and whatever `measure_first_loss` raises.

    >>> from gpt2_teach import GPTConfig, build_gpt
    >>> model = build_gpt(GPTConfig.preset("tiny"), generator=0)
    >>> ids = torch.arange(64).view(1, 64)
    >>> small, large = sweep_embedding_stds(model, [0.02, 1.0], [0.02], ids, ids.roll(-1)).values()
    >>> large.loss > 3 * small.loss
    True
    """
    matrix, positions = model.lm_head.weight, model.transformer.wpe.weight
    if model.transformer.wte.weight is not matrix:
        raise ValueError("model must be tied: its wte and lm_head must share one Parameter")
    stds = [number_between("stds", std, 1e-6, 1e6) for std in stds]
    position_stds = [number_between("position_stds", std, 1e-6, 1e6) for std in position_stds]
    matrix, positions = matrix.data, positions.data  # a write to these does not stop a later backward
    before = [(parameter, parameter.clone(), float(parameter.std())) for parameter in (matrix, positions)]
    batches = {}
    try:
        for std in stds:
            matrix.copy_(before[0][1]).mul_(std / before[0][2])
            for position_std in position_stds:
                positions.copy_(before[1][1]).mul_(position_std / before[1][2])
                batches[std, position_std] = measure_first_loss(model, idx, targets)
    finally:
        for parameter, values, _ in before:
            parameter.copy_(values)
    return batches
