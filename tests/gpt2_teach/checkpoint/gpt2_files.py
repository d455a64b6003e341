"""GPT-2 checkpoints for tests, tiny and full-size, in every naming scheme found in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import save_file
from torch import Tensor

if TYPE_CHECKING:
    from transformers import GPT2LMHeadModel

TINY: dict[str, Any] = dict(
    n_layer=2, n_head=2, n_embd=64, vocab_size=1024, n_positions=32, bos_token_id=0, eos_token_id=0
)
SHAPES = ("save_pretrained", "as the Hub serves it", "head only", "both names", "prefixed, with masks")


def gpt2(**config: Any) -> GPT2LMHeadModel:
    """Return a GPT-2 with distinct tensors: even biases and LayerNorms have random values."""
    from transformers import GPT2Config, GPT2LMHeadModel

    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(0)
        model = GPT2LMHeadModel(GPT2Config(**config)).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.ndim == 1:
                    parameter.add_(torch.randn_like(parameter), alpha=0.1)
    model.loss_type = "ForCausalLM"
    return model


def tensors(model: GPT2LMHeadModel, shape: str) -> dict[str, Tensor]:
    """Return the model's tensors with the names that a file of the given one of `SHAPES` has."""
    weights = {name: p.detach() for name, p in model.named_parameters()}  # the shared matrix once, as wte
    wte = weights["transformer.wte.weight"]
    size = model.config.n_positions
    mask = torch.tril(torch.ones(size, size)).view(1, 1, size, size)
    layers = range(model.config.n_layer)
    match shape:
        case "as the Hub serves it":
            weights = {name.removeprefix("transformer."): weight for name, weight in weights.items()}
            weights |= {f"h.{layer}.attn.bias": mask.clone() for layer in layers}
        case "head only":
            weights["lm_head.weight"] = weights.pop("transformer.wte.weight")
        case "both names":
            weights["lm_head.weight"] = wte.clone()
        case "prefixed, with masks":
            weights |= {f"transformer.h.{layer}.attn.bias": mask.clone() for layer in layers}
            weights |= {f"transformer.h.{layer}.attn.masked_bias": torch.tensor(-1e4) for layer in layers}
    return weights


def write(model: GPT2LMHeadModel, folder: Path, shape: str = "save_pretrained") -> Path:
    """Write `config.json` and `model.safetensors` into `folder`, creating it if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    config = model.config.to_dict()
    if shape == "as the Hub serves it":  # old: most other fields did not exist yet
        config = {
            key: config[key] for key in (*TINY, "model_type", "activation_function", "layer_norm_epsilon")
        }
        config["n_ctx"] = config["n_positions"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    save_file(tensors(model, shape), folder / "model.safetensors", metadata={"format": "pt"})
    return folder
