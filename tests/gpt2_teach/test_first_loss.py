"""The first loss of one batch, its standard error, the prediction, and the part of the token just read."""

from __future__ import annotations

import math
from typing import Literal

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import expected_repeats, first_loss, measure_first_loss, sweep_embedding_stds
from gpt2_teach.model import build_gpt

TINY = GPTConfig.preset("tiny")
CONFIG = GPTConfig(block_size=256, vocab_size=4096, n_layer=1, n_head=2, n_embd=128)
IDX, TARGETS = torch.randint(4096, (2, 2, 256), generator=torch.Generator().manual_seed(0))
IDS = torch.arange(64).view(1, 64)


@pytest.mark.parametrize("residual_scaling", [True, False])
@pytest.mark.parametrize(("init", "std"), [("gpt2", 0.02), ("pytorch", (3 * 128) ** -0.5)])
def test_the_loss_is_as_predicted_within_four_standard_errors(
    init: Literal["gpt2", "pytorch"], std: float, residual_scaling: bool
) -> None:
    model = build_gpt(CONFIG, init=init, residual_scaling=residual_scaling, generator=1)
    batch = measure_first_loss(model, IDX, TARGETS)
    assert batch.loss == pytest.approx(model(IDX, TARGETS)[1].item(), rel=1e-5)
    assert abs(batch.loss - first_loss(4096, std * 128**0.5)) < 4 * batch.standard_error
    assert batch.logit_std == pytest.approx(std * 128**0.5, rel=0.05)


def test_the_standard_error_is_the_spread_of_the_loss_over_batches() -> None:
    model = build_gpt(TINY, generator=0)
    generator = torch.Generator().manual_seed(1)
    batches = [
        measure_first_loss(model, *torch.randint(256, (2, 1, 32), generator=generator)) for _ in range(60)
    ]
    spread = float(torch.tensor([batch.loss for batch in batches]).std())
    typical = sum(batch.standard_error for batch in batches) / len(batches)
    assert spread == pytest.approx(typical, rel=4 / (2 * 59) ** 0.5)


def test_t6_with_the_embeddings_own_values_every_token_repeats_itself() -> None:
    batch = measure_first_loss(build_gpt(CONFIG, init="pytorch", tie="wte", generator=0), IDX, TARGETS)
    assert batch.repeats == 1.0
    assert batch.loss > 4 * first_loss(4096, 0.0)
    repaired = measure_first_loss(build_gpt(CONFIG, tie="wte", generator=0), IDX, TARGETS)
    assert abs(repaired.loss - first_loss(4096, repaired.logit_std)) < 4 * repaired.standard_error


@pytest.mark.parametrize("targets", [TARGETS[:1], TARGETS.float(), TARGETS + 4096])
def test_targets_that_do_not_fit_are_refused(targets: torch.Tensor) -> None:
    with pytest.raises((TypeError, ValueError), match="targets"):
        measure_first_loss(build_gpt(CONFIG, generator=0), IDX, targets)


# ---- by the stds of the two embeddings ---------------------------------------------------------------------


def test_each_batch_is_that_of_a_model_whose_embeddings_have_those_stds() -> None:
    for (std, position_std), batch in sweep_embedding_stds(
        build_gpt(TINY, generator=0), [0.02, 0.5], [0.1, 1.0], IDS, IDS.roll(-1)
    ).items():
        model = build_gpt(TINY, generator=0)
        with torch.no_grad():
            model.lm_head.weight.mul_(std / float(model.lm_head.weight.std()))
            model.transformer.wpe.weight.mul_(position_std / float(model.transformer.wpe.weight.std()))
        assert batch == measure_first_loss(model, IDS, IDS.roll(-1))


def test_t6_the_logit_of_the_token_just_read_follows_from_two_stds() -> None:
    sweep = sweep_embedding_stds(build_gpt(CONFIG, generator=0), [0.02, 0.2, 1.0], [0.02, 1.0], IDX, TARGETS)
    for (s, _), batch in sweep.items():
        own = 128 * s**2 / batch.stream_std
        assert batch.own_logit == pytest.approx(own, rel=0.03, abs=0.3 * s * 128**0.5)
        expected = expected_repeats(4096, batch.own_logit / (s * 128**0.5))
        assert batch.repeats == pytest.approx(expected, abs=4 * 0.5 / 512**0.5)
    assert sweep[1.0, 1.0].own_logit == pytest.approx(sweep[1.0, 1.0].loss, rel=0.15)


def test_the_token_just_read_wins_by_chance_without_a_trace_and_always_with_a_large_one() -> None:
    assert expected_repeats(256, 0.0) == pytest.approx(1 / 256, rel=1e-3)
    assert expected_repeats(256, 12.0) == pytest.approx(1.0)
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(4000, 256, generator=generator)
    logits[:, 0] += 2.5
    share = float((logits.argmax(1) == 0).float().mean())
    assert expected_repeats(256, 2.5) == pytest.approx(share, abs=4 * 0.5 / 4000**0.5)


def test_the_model_is_left_as_it_was() -> None:
    model = build_gpt(TINY, generator=0)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    sweep_embedding_stds(model, [0.1], [3.0], IDS, IDS)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert not model.transformer.ln_f._forward_pre_hooks


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan])
def test_what_cannot_be_rescaled_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"^stds must"):
        sweep_embedding_stds(build_gpt(TINY, generator=0), [0.02, wrong], [0.1], IDS, IDS)
    with pytest.raises(ValueError, match=r"^position_stds must"):
        sweep_embedding_stds(build_gpt(TINY, generator=0), [0.1], [wrong], IDS, IDS)
    with pytest.raises(ValueError, match="model must be tied"):
        sweep_embedding_stds(build_gpt(TINY, tie=None, generator=0), [0.02], [0.1], IDS, IDS)
