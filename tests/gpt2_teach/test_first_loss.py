"""The first loss of one batch, its standard error, and the prediction beside it."""

from __future__ import annotations

import pytest
import torch

from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import first_loss, measure_first_loss
from gpt2_teach.model import build_gpt

CONFIG = GPTConfig(block_size=256, vocab_size=4096, n_layer=1, n_head=2, n_embd=128)
IDX, TARGETS = torch.randint(4096, (2, 2, 256), generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("residual_scaling", [True, False])
@pytest.mark.parametrize(("init", "std"), [("gpt2", 0.02), ("pytorch", (3 * 128) ** -0.5)])
def test_the_loss_is_as_predicted_within_four_standard_errors(
    init: str, std: float, residual_scaling: bool
) -> None:
    model = build_gpt(CONFIG, init=init, residual_scaling=residual_scaling, generator=1)  # type: ignore[arg-type]
    batch = measure_first_loss(model, IDX, TARGETS)
    assert abs(batch.loss - first_loss(4096, std * 128**0.5)) < 4 * batch.standard_error
    assert batch.logit_std == pytest.approx(std * 128**0.5, rel=0.05)


def test_the_standard_error_is_the_spread_of_the_loss_over_batches() -> None:
    model = build_gpt(GPTConfig.preset("tiny"), generator=0)
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
    untied = measure_first_loss(build_gpt(CONFIG, tie=None, generator=0), IDX, TARGETS)
    assert untied.repeats < 0.05  # without a tie nothing points back at the token that was read


@pytest.mark.parametrize(
    ("targets", "error"),
    [(TARGETS[:1], ValueError), (TARGETS.float(), TypeError), (TARGETS + 4096, ValueError)],
)
def test_targets_that_do_not_fit_are_refused(targets: torch.Tensor, error: type[Exception]) -> None:
    with pytest.raises(error, match="targets"):
        measure_first_loss(build_gpt(CONFIG, generator=0), IDX, targets)
