"""GPT: the checkpoint's names, the chapter's tie and rule, and the mathematics of the reference."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import pytest
import torch
from torch import Tensor, nn

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.stream import predict_stream, sweep_depths
from tests.gpt2_teach.global_generator import Draws, untouched
from tests.gpt2_teach.hugging_face import CONV1D, hugging_face

TINY = GPTConfig.preset("tiny")


@pytest.fixture(scope="module")
def small() -> GPT:
    """GPT-2 small, 124M, as it starts."""
    return build_gpt(GPTConfig(), generator=0)


def tokens(config: GPTConfig, rows: int, length: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(config.vocab_size, (rows, length), generator=generator)


# ---- names and sizes ---------------------------------------------------------------------------------------


def test_t3_gpt2_small_has_124439808_parameters_under_148_names_and_149_keys(small: GPT) -> None:
    assert sum(p.numel() for p in small.parameters()) == 124_439_808
    assert len(list(small.named_parameters())) == 148
    assert len(small.state_dict()) == 149
    assert sum(t.numel() for t in small.state_dict().values()) == 163_037_184
    assert sum(p.numel() for p in small.transformer.parameters()) == 124_439_808  # the head adds nothing


@pytest.mark.parametrize("name", ["gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl"])
def test_names_and_shapes_are_those_of_the_hugging_face_checkpoint(name: str) -> None:
    config = GPTConfig.preset(name)
    with torch.device("meta"):
        ours, theirs = GPT(config).state_dict(), hugging_face(config).state_dict()
    assert set(ours) == set(theirs)
    for key, tensor in ours.items():
        assert tensor.shape == (theirs[key].T if key.endswith(CONV1D) else theirs[key]).shape, key


# ---- forward -----------------------------------------------------------------------------------------------


def test_no_position_sees_a_later_token() -> None:
    model, idx = build_gpt(TINY, generator=0), tokens(TINY, 1, 20)
    changed = idx.clone()
    changed[0, 12] = (idx[0, 12] + 1) % 256
    before, after = model(idx)[0][0], model(changed)[0][0]
    torch.testing.assert_close(before[:12], after[:12])
    assert ((before[12:] - after[12:]).abs().amax(dim=1) > 1e-6).all()


@pytest.mark.parametrize("n_head", [1, 4])
def test_logits_and_gradients_agree_with_transformers(n_head: int) -> None:
    config = GPTConfig.preset("tiny", n_head=n_head)
    ours = build_gpt(config, generator=0)
    with torch.no_grad():  # trained models have biases and gains
        for parameter in ours.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)) / 10)
    theirs = hugging_face(ours).eval()
    idx = tokens(config, 2, 64)
    logits, reference = ours(idx)[0], theirs(idx).logits
    torch.testing.assert_close(logits, reference, atol=1e-4, rtol=1e-4)
    loss = ours(idx[:, :-1], idx[:, 1:])[1]
    assert loss is not None
    loss.backward()
    theirs(idx, labels=idx).loss.backward()
    for name, parameter in ours.named_parameters():
        grad = theirs.get_parameter(name).grad
        assert grad is not None
        torch.testing.assert_close(
            parameter.grad, grad.T if name.endswith(CONV1D) else grad, atol=1e-4, rtol=1e-3
        )


# ---- refusals ----------------------------------------------------------------------------------------------


def test_ids_that_do_not_fit_are_refused() -> None:
    model, good = GPT(TINY), torch.zeros(1, 3, dtype=torch.int64)
    with pytest.raises(ValueError, match=r"^idx has 65 tokens per row; block_size allows at most 64"):
        model(torch.zeros(1, 65, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"^targets must be from 0 to vocab_size - 1 = 255, got 256 to 256"):
        model(good, good + 256)


@pytest.mark.parametrize(
    ("argument", "value"),
    [("tie", "both"), ("tie", True), ("residual_scaling", None), ("init", "xavier"), ("generator", "0")],
)
def test_an_impossible_choice_is_refused_by_its_name(argument: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{argument} must be .* got {value!r}"):
        build_gpt(TINY, **{argument: value})


# ---- what the three choices change -------------------------------------------------------------------------


def test_residual_scaling_changes_the_projections_only_and_by_one_factor() -> None:
    with_it, without = build_gpt(TINY, generator=0), build_gpt(TINY, generator=0, residual_scaling=False)
    for (name, scaled), plain in zip(with_it.named_parameters(), without.parameters(), strict=True):
        factor = 8**-0.5 if name.endswith("c_proj.weight") else 1.0
        torch.testing.assert_close(scaled, plain * factor, msg=name)


# ---- draws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tie", ["lm_head", "wte", None])
def test_every_matrix_is_filled_once_and_nothing_drawn_is_thrown_away(
    tie: Literal["lm_head", "wte"] | None,
) -> None:
    with Draws() as draws:
        model = build_gpt(TINY, tie=tie, generator=0)
    assert draws.count == sum(p.numel() for p in model.parameters() if p.ndim == 2)


def test_a_rule_that_fills_in_another_way_is_kept() -> None:
    class Scaled(GPT):
        def _init_weights(self, module: nn.Module) -> None:
            super()._init_weights(module)
            if isinstance(module, nn.Linear):
                module.weight.data.mul_(100)
            if isinstance(module, nn.Embedding):
                nn.init.trunc_normal_(module.weight, std=0.5, a=-0.5, b=0.5)

    model: Any = Scaled(TINY)
    assert model.transformer.h[0].mlp.c_fc.weight.std().item() == pytest.approx(2, rel=0.05)
    assert 0.4 < model.transformer.wpe.weight.abs().max() <= 0.5


@pytest.mark.parametrize(
    "choices", [{}, dict(tie=None), dict(tie="wte"), dict(init="pytorch"), dict(residual_scaling=False)]
)
def test_a_seed_fixes_every_value_and_leaves_the_global_generator_alone(choices: dict[str, Any]) -> None:
    with untouched():
        first, again, other = (build_gpt(TINY, generator=seed, **choices).state_dict() for seed in (3, 3, 4))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not any(torch.equal(first[name], other[name]) for name in first if first[name].ndim == 2)


@pytest.mark.parametrize("init", ["gpt2", "pytorch"])
def test_without_a_generator_the_global_one_decides(init: Literal["gpt2", "pytorch"]) -> None:
    with torch.random.fork_rng():
        models = []
        for seed in (0, 0, 1):
            torch.manual_seed(seed)
            models.append(build_gpt(TINY, init=init).lm_head.weight)
    assert torch.equal(models[0], models[1])
    assert not torch.equal(models[0], models[2])


@pytest.mark.parametrize("wrong", [None, "tiny", {"n_layer": 2}])
def test_a_config_of_another_kind_is_refused(wrong: Any) -> None:
    for use in (GPT, parameter_counts, predict_stream, partial(sweep_depths, depths=[1], generator=0)):
        with pytest.raises(TypeError, match="config must be a GPTConfig"):
            use(wrong)
