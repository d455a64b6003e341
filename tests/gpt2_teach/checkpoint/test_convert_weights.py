"""Tests of weight conversion: the same logits from every naming scheme, and errors for all others."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from torch import Tensor

from gpt2_teach.checkpoint.convert_weights import gpt_from_hf
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.folder_format import gpt_config
from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT
from tests.gpt2_teach.checkpoint.gpt2_files import SHAPES, TINY, gpt2, tensors, write

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

Tensors = dict[str, Tensor]


@pytest.fixture(scope="module")
def tiny() -> GPT2LMHeadModel:
    return gpt2(**TINY)


@pytest.fixture
def hub_tensors(tiny: GPT2LMHeadModel) -> Tensors:
    """Return the tiny model's tensors as the Hub would serve them; a test may change them."""
    return {name: tensor.clone() for name, tensor in tensors(tiny, "as the Hub serves it").items()}


def largest_difference(ours: GPT, theirs: GPT2LMHeadModel, length: int) -> float:
    """Return the largest difference of any logit, over a row of `length` random tokens."""
    generator = torch.Generator().manual_seed(1)
    idx = torch.randint(ours.config.vocab_size, (1, length), generator=generator)
    with torch.no_grad():
        return float((ours(idx)[0] - theirs(idx).logits).abs().max())


def assert_ours(model: GPT) -> None:
    assert model.transformer.wte.weight is model.lm_head.weight
    assert {p.dtype for p in model.parameters()} == {torch.float32}
    assert all(p.requires_grad for p in model.parameters())


@pytest.mark.parametrize("shape", SHAPES)
def test_logits_agree_on_a_tiny_file_of_every_shape(
    tiny: GPT2LMHeadModel, tmp_path: Path, shape: str
) -> None:
    ours = gpt_from_hf(write(tiny, tmp_path, shape))
    assert_ours(ours)
    assert largest_difference(ours, tiny, 32) < 1e-5


def test_logits_agree_on_what_save_pretrained_writes(tiny: GPT2LMHeadModel, tmp_path: Path) -> None:
    tiny.save_pretrained(tmp_path)
    assert largest_difference(gpt_from_hf(tmp_path), tiny, 32) < 1e-5


@pytest.mark.parametrize("half", [torch.float16, torch.bfloat16])
def test_a_file_of_half_precision_becomes_float32(hub_tensors: Tensors, half: torch.dtype) -> None:
    config = gpt_config(TINY)
    model = gpt_from_hf({name: tensor.to(half) for name, tensor in hub_tensors.items()}, config)
    assert_ours(model)
    assert torch.equal(model.lm_head.weight, hub_tensors["wte.weight"].to(half).float())


def test_a_model_and_tensors_with_sizes_of_either_kind_are_taken(
    tiny: GPT2LMHeadModel, hub_tensors: Tensors
) -> None:
    for ours in (
        gpt_from_hf(tiny),
        gpt_from_hf(hub_tensors, TINY),
        gpt_from_hf(hub_tensors, GPTConfig(32, 1024, 2, 2, 64)),
    ):
        assert_ours(ours)
        assert largest_difference(ours, tiny, 32) < 1e-5


def test_the_weights_are_copied_and_the_global_generator_is_left_alone(tiny: GPT2LMHeadModel) -> None:
    before = torch.get_rng_state()
    ours = gpt_from_hf(tiny)
    assert torch.equal(torch.get_rng_state(), before)
    theirs = {p.data_ptr() for p in tiny.parameters()}
    assert theirs.isdisjoint(p.data_ptr() for p in ours.parameters())


def test_i7_square_conv1d_matrices_are_transposed_too(tiny: GPT2LMHeadModel) -> None:
    name = "transformer.h.1.attn.c_proj.weight"
    theirs = tiny.get_parameter(name)  # Conv1D: (in, out)
    ours = gpt_from_hf(tiny).get_parameter(name)  # Linear: (out, in)
    assert theirs.shape == ours.shape == (64, 64)
    assert torch.equal(ours, theirs.T)
    assert not torch.equal(ours, theirs)


# ---- full size


@pytest.fixture(scope="module")
def full() -> GPT2LMHeadModel:
    """GPT-2 small, 124,439,808 parameters."""
    return gpt2()


@pytest.mark.parametrize("shape", SHAPES[:4])
def test_t3_logits_agree_on_a_full_size_file_of_every_shape(
    full: GPT2LMHeadModel, tmp_path: Path, shape: str
) -> None:
    write(full, tmp_path, shape)
    ours = gpt_from_hf(tmp_path)
    (tmp_path / "model.safetensors").unlink()  # half a gigabyte
    assert sum(p.numel() for p in ours.parameters()) == 124_439_808
    assert_ours(ours)
    assert largest_difference(ours, full, 128) < 1e-4


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


def without(name: str) -> Callable[[Tensors], None]:
    return lambda tensors: tensors.__delitem__(name)


def having(name: str, *shape: int, dtype: torch.dtype = torch.float32) -> Callable[[Tensors], None]:
    return lambda tensors: tensors.__setitem__(name, torch.ones(shape, dtype=dtype))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (without("h.1.mlp.c_fc.bias"), "lacks h.1.mlp.c_fc.bias"),
        (without("wte.weight"), "lacks wte.weight"),
        (having("h.2.ln_1.bias", 64), r"contains h\.2\.ln_1\.bias, which"),
        (having("score.weight", 2, 64), r"contains score\.weight, which"),
        (having("transformer.ln_f.bias", 64), r"contains ln_f\.bias twice"),
        (having("lm_head.weight", 1024, 64), r"wte\.weight and lm_head\.weight differ"),
        (having("lm_head.weight", 1000, 64), r"wte\.weight and lm_head\.weight differ"),
        (having("wte.weight", 1000, 64), r"wte.weight must be .* of shape \(1024, 64\), got .*\(1000, 64\)"),
        (having("h.0.attn.c_attn.weight", 192, 64), r"c_attn.weight must .*\(64, 192\), got .*\(192, 64\)"),
        (having("h.0.ln_1.weight", 64, dtype=torch.int8), r"ln_1.weight must be a floating.*got torch.int8"),
    ],
)
def test_tensors_that_do_not_fit_are_named(
    hub_tensors: Tensors, spoil: Callable[[Tensors], None], words: str
) -> None:
    spoil(hub_tensors)
    with pytest.raises(CheckpointError, match=words):
        gpt_from_hf(hub_tensors, TINY)


def test_too_few_layers_in_the_config_are_noticed(hub_tensors: Tensors) -> None:
    with pytest.raises(CheckpointError, match=r"contains h\.1\.attn.* and 9 more"):
        gpt_from_hf(hub_tensors, {**TINY, "n_layer": 1})


def test_an_untied_model_is_refused() -> None:
    with pytest.raises(CheckpointError, match="tie_word_embeddings must be True, got False"):
        gpt_from_hf(gpt2(**TINY, tie_word_embeddings=False))


def test_sources_of_other_kinds_are_refused(
    hub_tensors: Tensors, tiny: GPT2LMHeadModel, tmp_path: Path
) -> None:
    with pytest.raises(TypeError, match="config is required with a mapping of tensors, got None"):
        gpt_from_hf(hub_tensors)
    with pytest.raises(TypeError, match="config is allowed only with a mapping of tensors"):
        gpt_from_hf(tiny, TINY)
    with pytest.raises(TypeError, match="source must be a model, a folder or a mapping of tensors, got int"):
        gpt_from_hf(3)  # type: ignore[arg-type]
    with pytest.raises(CheckpointError, match="has no config"):
        gpt_from_hf(tmp_path / "nowhere")
