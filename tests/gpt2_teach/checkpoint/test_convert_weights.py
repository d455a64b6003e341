"""Tests of weight conversion: the same logits from every naming scheme, and errors for all others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch import Tensor

from gpt2_teach.checkpoint.convert_weights import gpt_from_hf
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT
from tests.gpt2_teach.checkpoint.gpt2_files import SHAPES, TINY, gpt2, tensors, write

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

Tensors = dict[str, Tensor]


@pytest.fixture(scope="module")
def model() -> GPT2LMHeadModel:
    return gpt2(**TINY)


@pytest.fixture
def hub_tensors(model: GPT2LMHeadModel) -> Tensors:
    """Return the tiny model's tensors as the Hub would serve them; a test may change them."""
    return {name: tensor.clone() for name, tensor in tensors(model, "as the Hub serves it").items()}


def assert_same(ours: GPT, theirs: GPT2LMHeadModel, length: int = 32) -> None:
    """Check that `ours` is tied, in float32 and not a view, and computes the same logits."""
    assert ours.transformer.wte.weight is ours.lm_head.weight
    assert all(p.dtype == torch.float32 and p.requires_grad for p in ours.parameters())
    assert {p.data_ptr() for p in theirs.parameters()}.isdisjoint(p.data_ptr() for p in ours.parameters())
    generator = torch.Generator().manual_seed(1)
    idx = torch.randint(ours.config.vocab_size, (1, length), generator=generator)
    with torch.no_grad():
        assert torch.allclose(ours(idx)[0], theirs(idx).logits, rtol=0, atol=1e-5 if length == 32 else 1e-4)


@pytest.mark.parametrize("shape", [*SHAPES, "by save_pretrained itself"])
def test_logits_agree_on_a_tiny_file_of_every_shape(
    model: GPT2LMHeadModel, tmp_path: Path, shape: str
) -> None:
    if shape in SHAPES:
        write(model, tmp_path, shape)
    else:
        model.save_pretrained(tmp_path)
    assert_same(gpt_from_hf(tmp_path), model)


def test_a_model_and_tensors_with_sizes_of_either_kind_are_taken(
    model: GPT2LMHeadModel, hub_tensors: Tensors
) -> None:
    before = torch.get_rng_state()
    for ours in (
        gpt_from_hf(model),
        gpt_from_hf(hub_tensors, TINY),
        gpt_from_hf(hub_tensors, GPTConfig(32, 1024, 2, 2, 64)),
    ):
        assert_same(ours, model)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("half", [torch.float16, torch.bfloat16])
def test_half_precision_becomes_float32(hub_tensors: Tensors, half: torch.dtype) -> None:
    ours = gpt_from_hf({name: tensor.to(half) for name, tensor in hub_tensors.items()}, TINY)
    assert torch.equal(ours.lm_head.weight, hub_tensors["wte.weight"].to(half).float())


def test_i7_square_conv1d_matrices_are_transposed_too(model: GPT2LMHeadModel) -> None:
    name = "transformer.h.1.attn.c_proj.weight"
    theirs = model.get_parameter(name)  # Conv1D: (in, out)
    ours = gpt_from_hf(model).get_parameter(name)  # Linear: (out, in)
    assert theirs.shape == ours.shape == (64, 64)
    assert torch.equal(ours, theirs.T)
    assert not torch.equal(ours, theirs)


@pytest.mark.slow
def test_t3_logits_agree_on_a_full_size_file_as_the_hub_serves_it(tmp_path: Path) -> None:
    full = gpt2()
    ours = gpt_from_hf(write(full, tmp_path, "as the Hub serves it"))
    (tmp_path / "model.safetensors").unlink()  # half a gigabyte
    assert sum(p.numel() for p in ours.parameters()) == 124_439_808
    assert_same(ours, full, 128)


@pytest.mark.slow
def test_b7_a_model_and_our_copy_of_it_stay_under_1500_mb() -> None:
    code = """
import re, pathlib
from transformers import GPT2Config, GPT2LMHeadModel
from gpt2_teach.checkpoint.convert_weights import gpt_from_hf
peak = lambda: re.search(r'VmHWM:\\s+(\\d+) kB', pathlib.Path('/proc/self/status').read_text())[1]
model = GPT2LMHeadModel(GPT2Config())
before = peak()
ours = gpt_from_hf(model)
print(before, peak())
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, peak = (int(kilobytes) / 1e6 for kilobytes in ran.stdout.split())
    assert peak < 1.5
    assert peak - before < 0.6  # one more copy, not two


# ---- refusals


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("h.1.mlp.c_fc.bias", None),
        ("wte.weight", None),
        ("wte.weight", torch.ones(1000, 64)),
        ("h.0.attn.c_attn.weight", torch.ones(192, 64)),
        ("h.2.ln_1.bias", torch.ones(64)),
        ("score.weight", torch.ones(2, 64)),
    ],
)
def test_a_missing_unexpected_or_misshapen_tensor_is_named(
    hub_tensors: Tensors, name: str, tensor: Tensor | None
) -> None:
    hub_tensors.pop(name, None)
    if tensor is not None:
        hub_tensors[name] = tensor
    with pytest.raises(CheckpointError, match=re.escape(name)):
        gpt_from_hf(hub_tensors, TINY)


def test_a_head_that_differs_from_the_embedding_is_refused(hub_tensors: Tensors) -> None:
    with pytest.raises(CheckpointError, match="two matrices"):
        gpt_from_hf({**hub_tensors, "lm_head.weight": torch.ones(1024, 64)}, TINY)


FEATURES = {
    "activation_function": "relu",
    "layer_norm_epsilon": 1e-6,
    "scale_attn_weights": False,
    "scale_attn_by_inverse_layer_idx": True,
    "tie_word_embeddings": False,
    "n_inner": 192,
}


@pytest.mark.parametrize("field", FEATURES)
def test_features_that_gpt2_lacks_are_refused(field: str) -> None:
    with pytest.raises(CheckpointError, match=field):
        gpt_from_hf(gpt2(**{**TINY, field: FEATURES[field]}))


def test_sources_of_other_kinds_are_refused(
    hub_tensors: Tensors, model: GPT2LMHeadModel, tmp_path: Path
) -> None:
    refused: list[tuple[Any, Any]] = [(hub_tensors, None), (model, TINY), (3, None)]
    for source, config in refused:
        with pytest.raises(TypeError, match=r"source|config"):
            gpt_from_hf(source, config)
    with pytest.raises(CheckpointError, match="nowhere"):
        gpt_from_hf(tmp_path / "nowhere")
