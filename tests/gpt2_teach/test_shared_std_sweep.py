"""The first loss by the std of the shared matrix."""

from __future__ import annotations

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import measure_first_loss, sweep_shared_std
from gpt2_teach.model import GPT, build_gpt

IDS = torch.arange(64).view(1, 64)


def tied() -> GPT:
    return build_gpt(GPTConfig.preset("tiny"), tie="wte", init="pytorch", generator=0)


def test_each_row_is_the_first_batch_of_a_model_whose_matrix_has_that_std() -> None:
    rows = sweep_shared_std(tied(), [0.02, 0.5], IDS, IDS.roll(-1))
    for row in rows:
        model = tied()
        with torch.no_grad():
            model.lm_head.weight.mul_(row.std / model.lm_head.weight.std())
        assert row.batch == measure_first_loss(model, IDS, IDS.roll(-1))
    assert [row.std for row in rows] == [0.02, 0.5]


def test_t6_at_std_1_the_logit_of_the_token_just_read_is_the_loss() -> None:
    small, large = sweep_shared_std(tied(), [0.02, 1.0], IDS, IDS.roll(-1))
    assert large.batch.repeats > 0.9
    assert large.batch.loss > 3 * small.batch.loss
    assert large.input_logit == pytest.approx(large.batch.loss, rel=0.15)


def test_the_model_is_left_as_it_was() -> None:
    model = tied()
    before = model.lm_head.weight.detach().clone()
    sweep_shared_std(model, iter([0.1]), IDS, IDS)  # type: ignore[arg-type]
    assert torch.equal(model.lm_head.weight, before)
    assert not model.lm_head._forward_hooks
    assert not model.transformer.ln_f._forward_pre_hooks


def test_models_that_cannot_be_rescaled_are_refused() -> None:
    with pytest.raises(ValueError, match="model must be tied"):
        sweep_shared_std(build_gpt(GPTConfig.preset("tiny"), tie=None, generator=0), [0.02], IDS, IDS)
