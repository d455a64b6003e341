"""The loss of an untrained model: predicted, measured, and as a function of its shared matrix's std."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
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


@dataclass(frozen=True)
class FirstBatch:
    """Results of running one batch through an untrained model."""

    loss: float  # mean over the tokens, in nats
    standard_error: float  # of `loss`, for other tokens: std of the tokens' losses / sqrt(tokens)
    logit_std: float  # of all logits of the batch
    repeats: float  # share of positions at which the likeliest next token is the token just read
    likeliest: Tensor = field(compare=False)  # (B, T): the likeliest next token at each position


@torch.no_grad()
def measure_first_loss(model: nn.Module, idx: Tensor, targets: Tensor) -> FirstBatch:
    """Run a `GPT` on token ids `idx` (B, T) and compare its logits with `targets` (B, T).

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
    logits = model(idx)[0].flatten(0, 1)  # (B * T, vocab_size)
    likeliest = logits.argmax(-1).view_as(idx)  # (B, T)
    losses = F.cross_entropy(logits, targets.flatten().long(), reduction="none")  # (B * T,)
    return FirstBatch(
        loss=float(losses.mean()),
        standard_error=float(losses.std()) / losses.numel() ** 0.5,
        logit_std=float(logits.std()),
        repeats=float((likeliest == idx).float().mean()),
        likeliest=likeliest,
    )


@dataclass(frozen=True)
class SharedScale:
    """Results of running one batch through a GPT whose shared matrix has a given std; logits are in nats."""

    std: float  # of the shared matrix
    batch: FirstBatch
    stream_std: float  # of the residual stream that enters `ln_f`
    input_logit: float  # logit of the token just read, averaged over positions


@torch.no_grad()
def sweep_shared_std(model: GPT, stds: Sequence[float], idx: Tensor, targets: Tensor) -> list[SharedScale]:
    """Rescale the shared matrix of a tied `model` to each of `stds` and measure the first batch.

    With PyTorch's defaults the embedding has std 1 and the head about 0.02, and tying keeps one of the two:
    this is the question in issue 89 of karpathy/build-nanogpt. The model is restored afterwards. Raises
    ValueError if `model` is not tied or a std is not above 0, and whatever `measure_first_loss` raises.

    >>> from gpt2_teach import GPTConfig, build_gpt
    >>> model = build_gpt(GPTConfig.preset("tiny"), tie="wte", init="pytorch", generator=0)
    >>> ids = torch.arange(64).view(1, 64)
    >>> small, large = sweep_shared_std(model, [0.02, 1.0], ids, ids.roll(-1))
    >>> large.batch.loss > 3 * small.batch.loss
    True
    """
    matrix = model.lm_head.weight
    if model.transformer.wte.weight is not matrix:
        raise ValueError("model must be tied: its wte and lm_head must share one Parameter")
    stds = [number_between("stds", std, 1e-6, 1e6) for std in stds]
    matrix = matrix.data  # so that writing to it does not stop a later backward
    before = matrix.clone()
    seen: dict[str, Tensor] = {}
    hooks = [
        model.transformer.ln_f.register_forward_pre_hook(lambda _, inputs: seen.update(stream=inputs[0])),
        model.lm_head.register_forward_hook(lambda _, inputs, logits: seen.update(logits=logits)),
    ]
    rows = []
    try:
        for std in stds:
            matrix.copy_(before).mul_(std / before.std())
            batch = measure_first_loss(model, idx, targets)
            own = seen["logits"].gather(-1, idx[..., None].long())  # (B, T, 1) of (B, T, vocab_size)
            rows.append(SharedScale(std, batch, float(seen["stream"].std()), float(own.mean())))
    finally:
        matrix.copy_(before)
        for hook in hooks:
            hook.remove()
    return rows
