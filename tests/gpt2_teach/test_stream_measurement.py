"""The stream measured by hooks in a whole model, and block by block without one."""

from __future__ import annotations

import copy
from itertools import combinations, pairwise
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.stream import measure_stream, parameter_gradients
from tests.gpt2_teach.global_generator import untouched
from tests.gpt2_teach.hugging_face import hugging_face

TINY = GPTConfig.preset("tiny")


def tokens(rows: int, length: int, seed: int = 0) -> Tensor:
    return torch.randint(256, (rows, length), generator=torch.Generator().manual_seed(seed))


def by_hand(model: Any, idx: Tensor) -> list[Tensor]:
    """The stream after each addition, written out."""
    x = model.transformer.wte(idx) + model.transformer.wpe(torch.arange(idx.shape[1]))
    points = [x]
    for block in model.transformer.h:
        points.append(points[-1] + block.attn(block.ln_1(points[-1])))
        points.append(points[-1] + block.mlp(block.ln_2(points[-1])))
    return points


# ---- measured in a model -----------------------------------------------------------------------------------


def test_the_stream_is_that_of_a_forward_pass_written_out() -> None:
    model, idx = build_gpt(TINY, generator=0), tokens(2, 20)
    stream = measure_stream(model, idx)
    with torch.no_grad():
        points = by_hand(model, idx)
    updates = [after - before for before, after in pairwise(points)]
    assert stream.std == pytest.approx([float(point.std()) for point in points], rel=1e-5)
    assert stream.update_std == pytest.approx([float(update.std()) for update in updates], rel=1e-4)
    pairs = list(combinations(range(20), 2))
    for point, cosine in zip(points, stream.cosine, strict=True):
        by_pairs = [F.cosine_similarity(point[:, s], point[:, t], dim=-1).mean() for s, t in pairs]
        assert cosine == pytest.approx(float(torch.stack(by_pairs).mean()), abs=1e-5)


def test_our_model_and_hugging_faces_have_the_same_stream() -> None:
    ours = build_gpt(TINY, generator=0)
    first, second = (measure_stream(model, tokens(2, 20)) for model in (ours, hugging_face(ours)))
    assert second.std == pytest.approx(first.std, rel=1e-4)
    assert second.update_std == pytest.approx(first.update_std, rel=1e-3)
    assert second.cosine == pytest.approx(first.cosine, abs=1e-4)
    assert second.update_cosine == pytest.approx(first.update_cosine, abs=1e-4)


@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("build", [GPT, hugging_face])
def test_measuring_leaves_nothing_behind(build: Any, training: bool, frozen: bool) -> None:
    model: Any = build(TINY).train(training).requires_grad_(not frozen)
    model.transformer.h[1].train(not training)  # a model may be in both modes at once
    modes = [module.training for module in model.modules()]
    before = copy.deepcopy(model.state_dict())
    with untouched():  # no dropout is drawn
        measure_stream(model, tokens(1, 9))
    assert not any(module._forward_pre_hooks or module._forward_hooks for module in model.modules())
    assert all(p.grad is None and p.requires_grad != frozen for p in model.parameters())
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    assert [module.training for module in model.modules()] == modes
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("build", [GPT, hugging_face])
@pytest.mark.parametrize("idx", [tokens(1, 1), tokens(1, 65), torch.tensor([[0, 256]]), torch.zeros(1, 3)])
def test_ids_that_do_not_fit_are_refused_and_no_hook_stays(build: Any, idx: Tensor) -> None:
    model: Any = build(TINY)
    with pytest.raises((TypeError, ValueError), match=r"^idx"):
        measure_stream(model, idx)
    assert not any(module._forward_pre_hooks for module in model.modules())


# ---- what the stream does ----------------------------------------------------------------------------------


def test_i3_scaling_holds_the_stream_and_the_last_layer_norm_hides_it_from_the_logits() -> None:
    config, idx = GPTConfig.preset("tiny", n_embd=256, n_layer=16), tokens(1, 64)
    models = [build_gpt(config, residual_scaling=choice, generator=0) for choice in (True, False)]
    scaled, unscaled = (measure_stream(model, idx) for model in models)
    assert unscaled.std[0] == scaled.std[0]
    assert unscaled.std[-1] > 3 * scaled.std[-1]
    logits, same = (float(model(idx)[0].detach().std()) for model in models)
    assert logits == pytest.approx(same, rel=0.15)  # pre-LayerNorm: the size is divided out


def test_scaling_enlarges_the_gradient_of_the_matrices_that_write_and_of_no_others() -> None:
    config, idx = GPTConfig.preset("tiny", n_embd=384, n_layer=6), tokens(1, 64)
    models = [build_gpt(config, residual_scaling=choice, generator=0) for choice in (True, False)]
    on, off = (parameter_gradients(model, idx, tokens(1, 64, seed=1)) for model in models)
    for kind in ("attn.c_proj", "mlp.c_proj"):
        assert all(scaled > 1.5 * plain for scaled, plain in zip(on[kind], off[kind]))
    for kind in ("attn.c_attn", "mlp.c_fc"):
        assert all(scaled < 1.5 * plain for scaled, plain in zip(on[kind], off[kind]))
