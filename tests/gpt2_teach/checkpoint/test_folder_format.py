"""Tests of reading a folder in the Hub's format, and of the errors for broken folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.folder_format import FolderTensors, gpt_config, read_config, weight_files
from gpt2_teach.config import GPTConfig


def test_sizes_are_read_and_missing_ones_are_those_of_gpt2_small() -> None:
    assert gpt_config({}) == GPTConfig()
    sizes = dict(n_positions=64, vocab_size=256, n_layer=2, n_head=4, n_embd=64)
    assert gpt_config({**sizes, "n_inner": 256, "resid_pdrop": 0.5}) == GPTConfig(64, 256, 2, 4, 64)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("activation_function", "relu"),
        ("layer_norm_epsilon", 1e-6),
        ("scale_attn_weights", False),
        ("scale_attn_by_inverse_layer_idx", True),
        ("add_cross_attention", True),
        ("tie_word_embeddings", False),
        ("n_inner", 768),
    ],
)
def test_features_that_gpt2_lacks_are_refused(field: str, value: object) -> None:
    with pytest.raises(CheckpointError, match=f"{field} must be .*got {value!r}"):
        gpt_config({field: value})


def test_impossible_sizes_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="n_embd must be divisible by n_head"):
        gpt_config({"n_embd": 770})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "has no config.json"),
        ("{", "config.json cannot be read"),
        ("[]", "not a GPT-2: its config.json has model_type None"),
        ('{"model_type": "llama"}', "not a GPT-2: its config.json has model_type 'llama'"),
    ],
)
def test_a_config_of_another_model_is_refused(tmp_path: Path, content: str | None, words: str) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(CheckpointError, match=words):
        read_config(tmp_path)


def write_index(folder: Path, index: Any) -> None:
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def test_tensors_of_several_files_are_one_mapping(tmp_path: Path) -> None:
    for name in "ab":
        save_file({name: torch.full((2,), float(ord(name)))}, tmp_path / f"{name}.safetensors")
    write_index(tmp_path, {"weight_map": {"a": "a.safetensors", "b": "b.safetensors"}})
    assert weight_files(tmp_path) == [tmp_path / "a.safetensors", tmp_path / "b.safetensors"]
    tensors = FolderTensors(tmp_path)
    assert {name: tensor.tolist() for name, tensor in tensors.items()} == {"a": [97, 97], "b": [98, 98]}
    assert len(tensors) == 2


@pytest.mark.parametrize("index", [[], {}, {"weight_map": ["a.safetensors"]}])
def test_an_invalid_index_is_refused(tmp_path: Path, index: object) -> None:
    write_index(tmp_path, index)
    with pytest.raises(CheckpointError, match=r"index\.json cannot be read"):
        weight_files(tmp_path)


def test_a_pickle_is_never_read(tmp_path: Path) -> None:
    torch.save({"wte.weight": torch.zeros(2)}, tmp_path / "pytorch_model.bin")
    with pytest.raises(CheckpointError, match=r"no model.safetensors \(other formats are not supported\)"):
        FolderTensors(tmp_path)


def test_a_missing_file_of_the_index_is_named(tmp_path: Path) -> None:
    write_index(tmp_path, {"weight_map": {"a": "a.safetensors"}})
    with pytest.raises(CheckpointError, match=r"has no a\.safetensors"):
        weight_files(tmp_path)


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 100])
def test_a_file_that_is_broken_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"model\.safetensors is broken"):
        FolderTensors(tmp_path)
