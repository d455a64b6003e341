"""The first loss of one batch, its standard error, the prediction, and the shared matrix's part in it."""

from __future__ import annotations

import math
from typing import Literal

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import first_loss, measure_first_loss, sweep_shared_std
from gpt2_teach.model import GPT, build_gpt

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
    mended = measure_first_loss(build_gpt(CONFIG, tie="wte", generator=0), IDX, TARGETS)
    assert abs(mended.loss - first_loss(4096, mended.logit_std)) < 4 * mended.standard_error


@pytest.mark.parametrize("targets", [TARGETS[:1], TARGETS.float(), TARGETS + 4096])
def test_targets_that_do_not_fit_are_refused(targets: torch.Tensor) -> None:
    with pytest.raises((TypeError, ValueError), match="targets"):
        measure_first_loss(build_gpt(CONFIG, generator=0), IDX, targets)


# ---- by the std of the shared matrix -----------------------------------------------------------------------


def tied() -> GPT:
    return build_gpt(TINY, tie="wte", init="pytorch", generator=0)


def test_each_row_is_the_first_batch_of_a_model_whose_matrix_has_that_std() -> None:
    for row in sweep_shared_std(tied(), [0.02, 0.5], IDS, IDS.roll(-1)):
        model = tied()
        with torch.no_grad():
            model.lm_head.weight.mul_(row.std / model.lm_head.weight.std())
        assert row.batch == measure_first_loss(model, IDS, IDS.roll(-1))


def test_t6_at_std_1_the_logit_of_the_token_just_read_is_the_loss() -> None:
    small, large = sweep_shared_std(tied(), [0.02, 1.0], IDS, IDS.roll(-1))
    assert large.batch.repeats > 0.9
    assert large.batch.loss > 3 * small.batch.loss
    assert large.input_logit == pytest.approx(large.batch.loss, rel=0.15)


def test_the_model_is_left_as_it_was() -> None:
    model = tied()
    before = model.lm_head.weight.detach().clone()
    sweep_shared_std(model, [0.1], IDS, IDS)
    assert torch.equal(model.lm_head.weight, before)
    assert not model.lm_head._forward_hooks
    assert not model.transformer.ln_f._forward_pre_hooks


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan])
def test_what_cannot_be_rescaled_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="stds must"):
        sweep_shared_std(tied(), [0.02, wrong], IDS, IDS)
    with pytest.raises(ValueError, match="model must be tied"):
        sweep_shared_std(build_gpt(TINY, tie=None, generator=0), [0.02], IDS, IDS)
