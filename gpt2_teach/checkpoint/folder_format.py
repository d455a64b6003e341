"""Read the sizes and tensors of a GPT-2 from a folder in the Hugging Face Hub's format.

The folder contains `config.json` and either `model.safetensors` or an index and the files that it lists.
Source: the documentation of safetensors, and `configuration_gpt2.py` of transformers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.config import GPTConfig

MASKS = re.compile(r"(transformer\.)?h\.\d+\.attn\.(masked_)?bias")  # buffers that older versions saved

# fields of a configuration that must have these values, because our GPT supports no others
_FIXED: dict[str, tuple[Any, ...]] = {
    "activation_function": ("gelu_new", "gelu_pytorch_tanh"),
    "layer_norm_epsilon": (1e-5,),
    "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,),
    "add_cross_attention": (False,),
    "tie_word_embeddings": (True,),
}


def read_config(folder: Path) -> dict[str, Any]:
    """Return the `config.json` of a folder; raise CheckpointError if it is not for a GPT-2."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise CheckpointError(f"the folder {folder} has no config.json") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    model_type = config.get("model_type") if isinstance(config, dict) else None
    if model_type != "gpt2":
        raise CheckpointError(
            f"the model in {folder} is not a GPT-2: its config.json has model_type {model_type!r}"
        )
    return config


def weight_files(folder: Path) -> list[Path]:
    """Return a folder's one safetensors file or all in its index; raise CheckpointError if one is missing."""
    files = [folder / "model.safetensors"]
    index = folder / "model.safetensors.index.json"
    if not files[0].exists() and index.exists():
        try:
            files = sorted({folder / name for name in json.loads(index.read_bytes())["weight_map"].values()})
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise CheckpointError(f"{index} cannot be read: {error}") from error
    for file in files:
        if not file.is_file():
            raise CheckpointError(f"the folder {folder} has no {file.name} (other formats are not supported)")
    return files


def gpt_config(config: Mapping[str, Any]) -> GPTConfig:
    """Return the sizes in a Hugging Face configuration; missing fields default to GPT-2 small.

    Raises CheckpointError if the configuration has a feature that GPT-2 lacks.

    >>> gpt_config({"n_layer": 2, "n_positions": 64}).block_size
    64
    """
    for field, allowed in _FIXED.items():
        value = config.get(field, allowed[0])
        if value not in allowed:
            raise CheckpointError(f"{field} must be {' or '.join(map(repr, allowed))}, got {value!r}")
    default = GPTConfig()
    sizes = GPTConfig(
        block_size=config.get("n_positions", default.block_size),
        **{
            key: config.get(key, getattr(default, key))
            for key in ("vocab_size", "n_layer", "n_head", "n_embd")
        },
    )
    if config.get("n_inner") not in (None, 4 * sizes.n_embd):
        raise CheckpointError(f"n_inner must be 4 * n_embd = {4 * sizes.n_embd}, got {config['n_inner']!r}")
    return sizes


class FolderTensors(Mapping[str, Tensor]):
    """A folder's tensors by name, each read on access so that only one is in memory.

    Raises CheckpointError if a file is missing, broken or not a safetensors file.
    """

    def __init__(self, folder: Path) -> None:
        from safetensors import SafetensorError, safe_open

        self._files: dict[str, Any] = {}
        for path in weight_files(folder):
            try:
                file = safe_open(path, framework="pt")
            except (SafetensorError, OSError, ValueError) as error:
                raise CheckpointError(f"{path} is broken or not a safetensors file: {error}") from error
            self._files |= dict.fromkeys(file.keys(), file)

    def __getitem__(self, name: str) -> Tensor:
        return self._files[name].get_tensor(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
