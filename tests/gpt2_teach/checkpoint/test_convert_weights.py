"""Tests of weight conversion: the same logits as transformers, and errors for what GPT-2 is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import torch

from gpt2_teach.checkpoint.convert_weights import gpt_from_hf
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.load import load_gpt2
from gpt2_teach.model import GPT
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel


@pytest.fixture(scope="module")
def model() -> GPT2LMHeadModel:
    return gpt2(**TINY)


def assert_same(ours: GPT, theirs: GPT2LMHeadModel, length: int = 32) -> None:
    """Check that `ours` is tied, in float32 and not a view, and computes the same logits."""
    assert ours.transformer.wte.weight is ours.lm_head.weight
    assert all(p.dtype == torch.float32 and p.requires_grad for p in ours.parameters())
    assert {p.data_ptr() for p in theirs.parameters()}.isdisjoint(p.data_ptr() for p in ours.parameters())
    generator = torch.Generator().manual_seed(1)
    idx = torch.randint(ours.config.vocab_size, (1, length), generator=generator)
    with torch.no_grad():
        assert torch.allclose(ours(idx)[0], theirs(idx).logits, rtol=0, atol=1e-5 if length == 32 else 1e-4)


def test_logits_agree_and_the_global_generator_is_left_alone(model: GPT2LMHeadModel) -> None:
    before = torch.get_rng_state()
    assert_same(gpt_from_hf(model), model)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("half", [torch.float16, torch.bfloat16])
def test_half_precision_becomes_float32(half: torch.dtype) -> None:
    model: Any = gpt2(**TINY)
    model.to(half)
    assert torch.equal(gpt_from_hf(model).lm_head.weight, model.lm_head.weight.float())


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
    ours = gpt_from_hf(load_gpt2(write(full, tmp_path, "as the Hub serves it")).model)
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


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("activation_function", "relu"),
        ("layer_norm_epsilon", 1e-6),
        ("scale_attn_weights", False),
        ("scale_attn_by_inverse_layer_idx", True),
        ("tie_word_embeddings", False),
        ("n_inner", 192),
    ],
)
def test_features_that_gpt2_lacks_are_refused(field: str, value: object) -> None:
    with pytest.raises(CheckpointError, match=field):
        gpt_from_hf(gpt2(**{**TINY, field: value}))
