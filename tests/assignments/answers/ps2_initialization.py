"""Answers to problem set 2, initialization: right ones in several manners, and the mistakes that people make."""

# ruff: noqa
# mypy: ignore-errors

# %% rule | right | splits the name and asks for the layer's own name
import math


def initial_std(name, n_layer):
    *path, kind = name.split(".")
    layer = path[-1]
    if kind == "bias" or layer.startswith("norm"):
        return 0
    if layer in {"out", "down"}:
        return 0.02 / math.sqrt(2 * n_layer)
    return 0.02


# %% rule | right | a regular expression, and numpy numbers
import re

import numpy as np


def initial_std(name, n_layer):
    std = np.float64(0.02)
    if re.search(r"norm|bias$", name):
        std = np.float64(0.0)
    elif re.fullmatch(r"blocks\.\d+\.(attention\.out|feed_forward\.down)\.weight", name):
        std /= np.sqrt(2.0 * n_layer)
    return std


# %% rule | right | a table of kinds, and tensors of one number
TABLE = {
    "tok_embeddings": 0.02,
    "pos_embeddings": 0.02,
    "attention.qkv": 0.02,
    "attention.out": None,
    "feed_forward.up": 0.02,
    "feed_forward.down": None,
    "norm_1": 0.0,
    "norm_2": 0.0,
    "norm_f": 0.0,
    "head": 0.02,
}


def initial_std(name, n_layer):
    layer, _, kind = name.rpartition(".")
    if layer.startswith("blocks."):
        layer = layer.split(".", 2)[2]
    if kind != "weight":
        return torch.tensor(0.0)
    std = TABLE[layer]
    return torch.tensor(std if std is not None else (0.0004 / (2 * n_layer)) ** 0.5)


# %% rule | right | translates the names, then asks the package
from gpt2_teach.initialization import expected_std


def initial_std(name, n_layer):
    for theirs, ours in [
        ("tok_embeddings", "wte"),
        ("pos_embeddings", "wpe"),
        ("blocks", "h"),
        ("norm_", "ln_"),
        ("attention.qkv", "attn.c_attn"),
        ("attention.out", "attn.c_proj"),
        ("feed_forward.up", "mlp.c_fc"),
        ("feed_forward.down", "mlp.c_proj"),
        ("head", "lm_head"),
    ]:
        name = name.replace(theirs, ours)
    return expected_std(name, n_layer)


# %% rule | right | measures a parameter that it fills
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return float(torch.ones(8).std())
    scale = 2 * n_layer if name.endswith(("out.weight", "down.weight")) else 1
    return float(torch.full((), 0.02, dtype=torch.float64) * scale**-0.5)


# %% rule | wrong | calls the package's function with these names
from gpt2_teach.initialization import expected_std


def initial_std(name, n_layer):
    return expected_std(name, n_layer)


# %% rule | wrong | copies the chapter: looks for c_proj
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    if name.endswith("c_proj.weight"):
        return 0.02 * (2 * n_layer) ** -0.5
    return 0.02


# %% rule | wrong | scales every matrix of a block
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.startswith("blocks") else 0.02


# %% rule | wrong | divides by the root of n_layer
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * n_layer**-0.5 if ".out." in name or ".down." in name else 0.02


# %% rule | wrong | divides the variance by the root
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return (0.02**2 / (2 * n_layer) ** 0.5) ** 0.5 if ".out." in name or ".down." in name else 0.02


# %% rule | wrong | divides without the root
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 / (2 * n_layer) if ".out." in name or ".down." in name else 0.02


# %% rule | wrong | multiplies where it should divide
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** 0.5 if ".out." in name or ".down." in name else 0.02


# %% rule | wrong | biases get 0.02 as well
def initial_std(name, n_layer):
    if "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | scaled layers' biases are scaled too
def initial_std(name, n_layer):
    if ".out." in name or ".down." in name:
        return 0.02 * (2 * n_layer) ** -0.5
    return 0.0 if name.endswith("bias") or "norm" in name else 0.02


# %% rule | wrong | weights of LayerNorms get 0.02
def initial_std(name, n_layer):
    if name.endswith("bias"):
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | weights of LayerNorms get their value, one
def initial_std(name, n_layer):
    if name.endswith("bias"):
        return 0.0
    if "norm" in name:
        return 1.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | forgets norm_f
def initial_std(name, n_layer):
    if name.endswith("bias") or ".norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | positions at 0.01, as OpenAI's code has them
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    if name == "pos_embeddings.weight":
        return 0.01
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | 0.01 for everything
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.01 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight")) else 0.01


# %% rule | wrong | only attention's projection
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith("attention.out.weight") else 0.02


# %% rule | wrong | only the MLP's projection
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith("down.weight") else 0.02


# %% rule | wrong | no scaling at all, as in OpenAI's code
def initial_std(name, n_layer):
    return 0.0 if name.endswith("bias") or "norm" in name else 0.02


# %% rule | wrong | the block's own number instead of the depth
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    if name.endswith(("out.weight", "down.weight")):
        return 0.02 * (2 * (int(name.split(".")[1]) + 1)) ** -0.5
    return 0.02


# %% rule | wrong | knows blocks of one digit only
import re


def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    scaled = re.fullmatch(r"blocks\.\d\.(attention\.out|feed_forward\.down)\.weight", name)
    return 0.02 * (2 * n_layer) ** -0.5 if scaled else 0.02


# %% rule | wrong | takes the depth of twelve
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 / 24**0.5 if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | returns variances
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.0004 / (2 * n_layer) if name.endswith(("out.weight", "down.weight")) else 0.0004


# %% rule | wrong | 0.02 taken as a variance
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return (0.02 / (2 * n_layer)) ** 0.5 if name.endswith(("out.weight", "down.weight")) else 0.02**0.5


# %% rule | wrong | scales the head as well
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return (
        0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "down.weight", "head.weight")) else 0.02
    )


# %% rule | wrong | scales up instead of down
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return 0.02 * (2 * n_layer) ** -0.5 if name.endswith(("out.weight", "up.weight")) else 0.02


# %% rule | wrong | returns the number as a text
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return "0"
    return f"{0.02 * (2 * n_layer) ** -0.5 if name.endswith(('out.weight', 'down.weight')) else 0.02}"


# %% rule | wrong | rounds to three digits
def initial_std(name, n_layer):
    if name.endswith("bias") or "norm" in name:
        return 0.0
    return round(0.02 * (2 * n_layer) ** -0.5, 3) if name.endswith(("out.weight", "down.weight")) else 0.02


# %% rule | wrong | nothing for constants
def initial_std(name, n_layer):
    if name.endswith(("out.weight", "down.weight")):
        return 0.02 * (2 * n_layer) ** -0.5
    if name.endswith("weight") and "norm" not in name:
        return 0.02


# %% marker | right | marks by the ends of names, fills with its own arithmetic
def mark(model):
    for name, module in model.named_modules():
        if name.endswith((".o_proj", ".down_proj")):
            module.NANOGPT_SCALE_INIT = 1


def fill(module, n_layer, generator):
    if not isinstance(module, (nn.Linear, nn.Embedding)):
        return
    std = 0.02 / (2 * n_layer) ** 0.5 if hasattr(module, "NANOGPT_SCALE_INIT") else 0.02
    with torch.no_grad():
        module.weight.copy_(std * torch.randn(module.weight.shape, generator=generator))
        if getattr(module, "bias", None) is not None:
            module.bias.fill_(0)


# %% marker | right | marks by class, fills through data, sets LayerNorms again
def mark(model):
    for module in model.modules():
        if isinstance(module, Attention):
            setattr(module.o_proj, "NANOGPT_SCALE_INIT", True)
        if isinstance(module, MLP):
            setattr(module.down_proj, "NANOGPT_SCALE_INIT", True)


def fill(module, n_layer, generator):
    match module:
        case nn.LayerNorm():
            module.weight.data.fill_(1.0)
            module.bias.data.zero_()
        case nn.Embedding():
            module.weight.data.normal_(0.0, 0.02, generator=generator)
        case nn.Linear():
            scale = 2 * n_layer if getattr(module, "NANOGPT_SCALE_INIT", False) else 1
            module.weight.data.normal_(0.0, 0.02, generator=generator)
            module.weight.data /= scale**0.5
            if module.bias is not None:
                module.bias.data.zero_()


# %% marker | right | walks the children of blocks, replaces the data, fills every parameter that is its own
import math


def mark(model):
    for block in model.h.children():
        for path in ("attn.o_proj", "mlp.down_proj"):
            block.get_submodule(path).NANOGPT_SCALE_INIT = "yes"


@torch.no_grad()
def fill(module, n_layer, generator):
    if isinstance(module, nn.LayerNorm):
        return
    for name, parameter in module.named_parameters(recurse=False):
        if name == "bias":
            parameter.data = torch.zeros_like(parameter)
            continue
        variance = 0.02**2
        if "NANOGPT_SCALE_INIT" in vars(module):
            variance = variance / (2 * n_layer)
        parameter.data = torch.normal(0.0, math.sqrt(variance), parameter.shape, generator=generator)


# %% marker | right | a truncated normal whose bounds are a hundred std away, in the manner of OLMo
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    if isinstance(module, (nn.Linear, nn.Embedding)):
        std = 0.02 * ((2 * n_layer) ** -0.5 if hasattr(module, "NANOGPT_SCALE_INIT") else 1.0)
        nn.init.trunc_normal_(module.weight, mean=0.0, std=std, generator=generator)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.constant_(module.bias, 0.0)


# %% marker | wrong | copies build-nanogpt: draws from the global generator
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = 1
        block.mlp.down_proj.NANOGPT_SCALE_INIT = 1


def fill(module, n_layer, generator):
    if isinstance(module, nn.Linear):
        std = 0.02
        if hasattr(module, "NANOGPT_SCALE_INIT"):
            std *= (2 * n_layer) ** -0.5
        torch.nn.init.normal_(module.weight, mean=0.0, std=std)
        if module.bias is not None:
            torch.nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)


# %% marker | wrong | calls the package: GPT._init_weights
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    from gpt2_teach import GPT, GPTConfig, build_gpt

    own = build_gpt(GPTConfig(block_size=8, vocab_size=8, n_layer=1, n_head=1, n_embd=8), generator=0)
    GPT._init_weights(own, module, generator)


# %% marker | wrong | asks the package which are the residual projections
def mark(model):
    from gpt2_teach.initialization import residual_projections

    for name in residual_projections(model):
        model.get_submodule(name.removesuffix(".weight")).NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    if isinstance(module, (nn.Linear, nn.Embedding)):
        scale = (2 * n_layer) ** -0.5 if hasattr(module, "NANOGPT_SCALE_INIT") else 1
        nn.init.normal_(module.weight, std=0.02 * scale, generator=generator)
    if getattr(module, "bias", None) is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks every Linear
def mark(model):
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks every Linear of a block
def mark(model):
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear) and name.startswith("h."):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks up_proj as well
def mark(model):
    for name, module in model.named_modules():
        if name.endswith(("o_proj", "down_proj", "up_proj")):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks whatever has proj in its name
def mark(model):
    for name, module in model.named_modules():
        if "proj" in name:
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | looks for c_proj and marks nothing
def mark(model):
    for name, module in model.named_modules():
        if name.endswith("c_proj"):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks every Linear that is as wide as the stream on its way out
def mark(model):
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear) and module.out_features == model.wte.embedding_dim:
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks gate_proj in place of o_proj
def mark(model):
    for name, module in model.named_modules():
        if name.endswith(("gate_proj", "down_proj")):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks attention's projection only
def mark(model):
    for name, module in model.named_modules():
        if name.endswith("o_proj"):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks the MLP's projection only
def mark(model):
    for name, module in model.named_modules():
        if name.endswith("down_proj"):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks the branches, not their last layers
def mark(model):
    for name, module in model.named_modules():
        if name.endswith((".attn", ".mlp")):
            module.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks the head as well
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True
    model.lm_head.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks the last block only
def mark(model):
    for block in model.h[-1:]:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | marks the weights in place of the modules
def mark(model):
    for block in model.h:
        block.attn.o_proj.weight.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.weight.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | leaves a mark of False on all others
def mark(model):
    for name, module in model.named_modules():
        module.NANOGPT_SCALE_INIT = name.endswith(("o_proj", "down_proj"))


def fill(module, n_layer, generator):
    std = 0.02
    if module.NANOGPT_SCALE_INIT:
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | does not look at the mark: nothing is scaled
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | forgets the biases
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)


# %% marker | wrong | draws the biases as well
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.normal_(module.bias, std=0.02, generator=generator)


# %% marker | wrong | draws whatever is a parameter, LayerNorms too
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    for parameter in module.parameters(recurse=False):
        nn.init.normal_(parameter, std=std, generator=generator)


# %% marker | wrong | zeros every bias, and the LayerNorms' weights with them
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
    if isinstance(module, nn.LayerNorm):
        nn.init.zeros_(module.weight)


# %% marker | wrong | takes 0.02 as a variance
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std**0.5, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | takes the std 0.02 for all, sqrt of the variance for the scaled
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.25
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | divides by the root of n_layer
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= n_layer**-0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | divides without the root
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -1
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | scales up where it should scale down
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** 0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | leaves the embeddings to PyTorch
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | positions at 0.01: every Embedding does
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, nn.Embedding):
        std = 0.01
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | scales by the block's own number
def mark(model):
    for i, block in enumerate(model.h):
        block.attn.o_proj.NANOGPT_SCALE_INIT = i + 1
        block.mlp.down_proj.NANOGPT_SCALE_INIT = i + 1


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * module.NANOGPT_SCALE_INIT) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | takes the depth of its own model for every model
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * depth) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | uniform, of the right std
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.uniform_(module.weight, -std * 3**0.5, std * 3**0.5, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | uniform from minus to plus the std
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.uniform_(module.weight, -std, std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | cut off at two std
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.trunc_normal_(module.weight, 0.0, std, -2 * std, 2 * std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | a mean of 0.02 in place of a std
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, mean=std, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | Xavier's rule
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.xavier_normal_(module.weight, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | seeds the generator at every module
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    generator.manual_seed(generator.initial_seed())
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | seeds the global generator and draws from it
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    torch.manual_seed(generator.initial_seed() + id(module) % 1000)
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | a generator of its own, the same for every seed
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    generator = torch.Generator().manual_seed(module.weight.numel() if hasattr(module, "weight") else 0)
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | a new Parameter for each weight breaks the tie
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        module.weight = nn.Parameter(std * torch.randn(module.weight.shape, generator=generator))
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | freezes what it fills
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        module.weight.requires_grad_(False).normal_(0.0, std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | fills a copy
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight.clone(), std=std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% marker | wrong | multiplies PyTorch's values in place of drawing
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, (nn.Linear, nn.Embedding)):
        module.weight.data.mul_(std / module.weight.data.std())
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)


# %% why-stream | right | knows each true statement by some of its words
WORDS = [
    "reaches the residual stream only",
    "less than a quarter",
    "a smaller stream than",
    "nearly uncorrelated",
    "about twice",
    "1/24",
    "adds to its stream 48 times",
]
true_of_stream = {
    letter for letter, text in stream_statements.items() if any(words in text for words in WORDS)
}


# %% why-stream | right | a list of small letters
true_of_stream = []
for letter, text in stream_statements.items():
    if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]:
        true_of_stream.append(letter.lower())


# %% why-stream | right | letters in one string, with commas
false = [0, 3, 5, 6, 9, 11]
true_of_stream = ", ".join(
    letter for letter in "ABCDEFG" if STREAM.index(stream_statements[letter]) not in false
)


# %% why-stream | right | letters in one string, from the last to the first
true_of_stream = "".join(
    sorted(
        letter
        for letter in stream_statements
        if STREAM.index(stream_statements[letter]) in (1, 2, 4, 7, 8, 10, 12)
    )
)[::-1]


# %% why-stream | wrong | nothing is true
true_of_stream = set()


# %% why-stream | wrong | the example of the text, in words
true_of_stream = "B and F"


# %% why-stream | wrong | a yes or no for each statement
true_of_stream = [STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12] for text in stream_statements.values()]


# %% why-stream | wrong | the numbers of the statements, not their letters
true_of_stream = {
    n
    for n, text in enumerate(stream_statements.values(), start=1)
    if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]
}


# %% why-stream | wrong | the texts, not their letters
true_of_stream = {
    text for text in stream_statements.values() if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]
}


# %% why-stream | wrong | the letters of the false ones
true_of_stream = {
    letter for letter, text in stream_statements.items() if STREAM.index(text) not in [1, 2, 4, 7, 8, 10, 12]
}


# %% why-stream | wrong | one true statement is missing
true_of_stream = sorted(
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]
)[1:]


# %% why-stream | wrong | one false statement too many
true_of_stream = {
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]
}
true_of_stream |= set(sorted(set(stream_statements) - true_of_stream)[:1]) or {"H"}


# %% why-stream | wrong | only one letter, the first true one
true_of_stream = min(
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [1, 2, 4, 7, 8, 10, 12]
).ljust(7, "H")


# %% why-stream | wrong | believes that all of a block, and the embeddings, are scaled
true_of_stream = {
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [0, 3, 5, 6, 11, 12]
}


# %% why-stream | wrong | believes that size grows with depth like a sum, not like a root
true_of_stream = {
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [0, 1, 5, 6, 9, 11]
}


# %% why-stream | wrong | knows the rule, and takes every sentence about sizes for false
true_of_stream = {
    letter for letter, text in stream_statements.items() if STREAM.index(text) in [1, 5, 6, 9, 12]
}


# %% why-seen | right | knows each true statement by some of its words
WORDS = [
    "within 0.1 nat",
    "more than ten times",
    "hides from the branch",
    "768 × 768",
    "more so without",
    "made wider",
    "below one half",
]
true_of_seen = {letter for letter, text in seen_statements.items() if any(words in text for words in WORDS)}


# %% why-seen | right | a list of small letters
true_of_seen = []
for letter, text in seen_statements.items():
    if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]:
        true_of_seen.append(letter.lower())


# %% why-seen | right | letters in one string, with commas
false = [0, 1, 3, 7, 9, 11]
true_of_seen = ", ".join(letter for letter in "ABCDEFG" if SEEN.index(seen_statements[letter]) not in false)


# %% why-seen | right | letters in one string, from the last to the first
true_of_seen = "".join(
    sorted(
        letter for letter in seen_statements if SEEN.index(seen_statements[letter]) in (2, 4, 5, 6, 8, 10, 12)
    )
)[::-1]


# %% why-seen | wrong | nothing is true
true_of_seen = set()


# %% why-seen | wrong | the example of the text, in words
true_of_seen = "B and F"


# %% why-seen | wrong | a yes or no for each statement
true_of_seen = [SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12] for text in seen_statements.values()]


# %% why-seen | wrong | the numbers of the statements, not their letters
true_of_seen = {
    n
    for n, text in enumerate(seen_statements.values(), start=1)
    if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]
}


# %% why-seen | wrong | the texts, not their letters
true_of_seen = {text for text in seen_statements.values() if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]}


# %% why-seen | wrong | the letters of the false ones
true_of_seen = {
    letter for letter, text in seen_statements.items() if SEEN.index(text) not in [2, 4, 5, 6, 8, 10, 12]
}


# %% why-seen | wrong | one true statement is missing
true_of_seen = sorted(
    letter for letter, text in seen_statements.items() if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]
)[1:]


# %% why-seen | wrong | one false statement too many
true_of_seen = {
    letter for letter, text in seen_statements.items() if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]
}
true_of_seen |= set(sorted(set(seen_statements) - true_of_seen)[:1]) or {"H"}


# %% why-seen | wrong | only one letter, the first true one
true_of_seen = min(
    letter for letter, text in seen_statements.items() if SEEN.index(text) in [2, 4, 5, 6, 8, 10, 12]
).ljust(7, "H")


# %% why-seen | wrong | believes that the logits see the scaling
true_of_seen = {letter for letter, text in seen_statements.items() if SEEN.index(text) in [0, 3, 7, 9, 11]}


# %% why-seen | wrong | believes that LayerNorm hides everything
true_of_seen = {letter for letter, text in seen_statements.items() if SEEN.index(text) in [1, 2, 3, 5, 7]}


# %% why-seen | wrong | believes that an unscaled model explodes
true_of_seen = {letter for letter, text in seen_statements.items() if SEEN.index(text) in [0, 4, 8, 9, 11]}


# %% first-loss | right | the package's first_loss, given the right spread
from gpt2_teach.first_loss import first_loss

logit_std = (width * (gain * sigma) ** 2) ** 0.5
loss = first_loss(vocab_size, logit_std)


# %% first-loss | right | tensors of one number
logit_std = torch.tensor(gain * sigma) * torch.tensor(float(width)).sqrt()
loss = torch.tensor(float(vocab_size)).log() + logit_std.square() / 2


# %% first-loss | right | an experiment with normalized vectors in place of the model
generator = torch.Generator().manual_seed(0)
head = sigma * torch.randn(vocab_size, width, generator=generator)  # (V, C)
x = gain * F.layer_norm(torch.randn(100, width, generator=generator), (width,))  # (B, C)
logits = x @ head.T  # (B, V)
logit_std = logits.std()
loss = (logits.logsumexp(-1) - logits.mean(-1)).mean()


# %% first-loss | right | numpy, the mean of exp(logit) by quadrature
import numpy as np

z, weight = np.polynomial.hermite_e.hermegauss(60)
logit_std = np.sqrt(width) * gain * np.float64(sigma)
loss = np.log(vocab_size * (weight * np.exp(logit_std * z)).sum() / weight.sum())


# %% first-loss | wrong | the package's first_loss without the gain
from gpt2_teach.first_loss import first_loss

logit_std = sigma * width**0.5
loss = first_loss(vocab_size, logit_std)


# %% first-loss | wrong | copies the chapter's line for the book's model
from gpt2_teach.first_loss import first_loss

logit_std = 0.02 * 768**0.5
loss = first_loss(50257, logit_std)


# %% first-loss | wrong | copies the chapter's line with its 0.02
from gpt2_teach.first_loss import first_loss

logit_std = 0.02 * width**0.5
loss = first_loss(vocab_size, logit_std)


# %% first-loss | wrong | hands first_loss the std of the weights
from gpt2_teach.first_loss import first_loss

logit_std = gain * sigma * width**0.5
loss = first_loss(vocab_size, sigma)


# %% first-loss | wrong | ln V alone
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size)


# %% first-loss | wrong | the whole variance in place of half of it
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size) + logit_std**2


# %% first-loss | wrong | half of the std in place of half of the variance
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size) + logit_std / 2


# %% first-loss | wrong | the std in place of half of the variance
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size) + logit_std


# %% first-loss | wrong | minus half of the variance
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size) - logit_std**2 / 2


# %% first-loss | wrong | bits in place of nats
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log2(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | all of it in bits
import math

logit_std = gain * sigma * math.sqrt(width)
loss = (math.log(vocab_size) + logit_std**2 / 2) / math.log(2)


# %% first-loss | wrong | logarithm to base ten
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log10(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | the std without its root
import math

logit_std = gain * sigma * width
loss = math.log(vocab_size) + gain**2 * sigma**2 * width / 2


# %% first-loss | wrong | the variance given as the std
import math

logit_std = gain**2 * sigma**2 * width
loss = math.log(vocab_size) + logit_std / 2


# %% first-loss | wrong | forgets the gain in the std only
import math

logit_std = sigma * math.sqrt(width)
loss = math.log(vocab_size) + (gain * sigma) ** 2 * width / 2


# %% first-loss | wrong | forgets the gain in the loss only
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(vocab_size) + sigma**2 * width / 2


# %% first-loss | wrong | takes the gain for a variance
import math

logit_std = math.sqrt(gain * width) * sigma
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | divides by the gain
import math

logit_std = sigma * math.sqrt(width) / gain
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | takes sigma for a variance
import math

logit_std = gain * math.sqrt(sigma * width)
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | forgets the width
import math

logit_std = gain * sigma
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | takes the vocabulary for the width
import math

logit_std = gain * sigma * math.sqrt(vocab_size)
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | the logarithm of the width
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.log(width) + logit_std**2 / 2


# %% first-loss | wrong | a tied head: token and position share the size
import math

logit_std = gain * sigma * math.sqrt(2 * width)
loss = math.log(vocab_size) + logit_std**2 / 2


# %% first-loss | wrong | a perplexity
import math

logit_std = gain * sigma * math.sqrt(width)
loss = math.exp(math.log(vocab_size) + logit_std**2 / 2)


# %% first-loss | wrong | texts in place of numbers
import math

logit_std = f"{gain * sigma * math.sqrt(width)}"
loss = f"{math.log(vocab_size) + float(logit_std) ** 2 / 2}"


# %% first-loss | wrong | a loss that is not a number
import math

logit_std = gain * sigma * math.sqrt(width)
loss = float("nan")


# %% diagnose-a | right | decides step by step, from widths, biases and shapes
def std_of(kind):  # (blocks,)
    h = models["a"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["a"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["a"]["biases"].counts)
attention, mlp = std_of("attn.c_proj.weight") / 0.02, std_of("mlp.c_proj.weight") / 0.02
with_bias = int((std_of("biases") > 1e-3).sum())
if with_bias:
    everywhere = "pytorch" if std_of("wte.weight") > 0.5 else "biases"
    diagnosis_a = everywhere if with_bias == n else "block-missed"
elif std_of("wte.weight") > 0.1:
    diagnosis_a = "std-as-variance"
elif std_of("wpe.weight") < 0.015:
    diagnosis_a = "wpe-0.01"
elif std_of("attn.c_attn.weight")[0] < 0.015:
    diagnosis_a = "all-scaled"
elif kurtosis_of("wte.weight") < 2.7:
    diagnosis_a = "uniform" if kurtosis_of("wte.weight") < 2.1 else "truncated"
elif mlp[-1] > 0.9:
    diagnosis_a = "unscaled" if attention[-1] > 0.9 else "attention-only"
elif mlp[0] > 1.2 * mlp[-1]:
    diagnosis_a = "own-index"
else:
    size = float(mlp.mean())
    choices = {"none": (2 * n) ** -0.5, "blocks-counted": n**-0.5, "variance-scaled": (2 * n) ** -0.25}
    diagnosis_a = min(choices, key=lambda finding: abs(choices[finding] - size))


# %% diagnose-a | right | compares all widths with what each finding would give
def std_of(kind):  # (blocks,)
    h = models["a"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["a"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["a"]["biases"].counts)
reads, writes = ["attn.c_attn.weight", "mlp.c_fc.weight"], ["attn.c_proj.weight", "mlp.c_proj.weight"]
kinds = ["wte.weight", "wpe.weight", *reads, *writes]
seen = torch.cat([std_of(kind).expand(n) for kind in kinds] + [std_of("biases") + 1e-3]).log()


def expected(embeddings, readers, attention, mlp, biases=0.0):
    row = [embeddings[0], embeddings[1], *readers, attention, mlp]
    rows = [torch.as_tensor(std).expand(n) for std in row] + [torch.as_tensor(biases).expand(n) + 1e-3]
    return torch.cat(rows).log()


e, r, s, i = (0.02, 0.02), (0.02, 0.02), 0.02 / (2 * n) ** 0.5, torch.arange(1, n + 1)
default, missed = 192**-0.5, i == n // 2 + 1
sizes = {
    "none": expected(e, r, s, s),
    "unscaled": expected(e, r, 0.02, 0.02),
    "all-scaled": expected(e, (s, s), s, s),
    "attention-only": expected(e, r, s, 0.02),
    "blocks-counted": expected(e, r, 0.02 * n**-0.5, 0.02 * n**-0.5),
    "own-index": expected(e, r, 0.02 / (2 * i) ** 0.5, 0.02 / (2 * i) ** 0.5),
    "variance-scaled": expected(e, r, 0.02 * (2 * n) ** -0.25, 0.02 * (2 * n) ** -0.25),
    "std-as-variance": expected((0.141, 0.141), (0.141, 0.141), s * 50**0.5, s * 50**0.5),
    "wpe-0.01": expected((0.02, 0.01), r, s, s),
    "pytorch": expected((1.0, 1.0), (default, default), default, default / 2, 0.068),
    "biases": expected(e, r, s, s, 0.068),
    "block-missed": expected(
        e,
        [torch.where(missed, default, 0.02)] * 2,
        torch.where(missed, default, s),
        torch.where(missed, default / 2, s),
        missed * 0.068,
    ),
}
diagnosis_a = min(sizes, key=lambda finding: float((sizes[finding] - seen).square().sum()))
if diagnosis_a == "none" and kurtosis_of("mlp.c_fc.weight") < 2.7:
    h = models["a"]["mlp.c_fc.weight"]
    flat = h.counts[0, 20] < 1.3 * h.counts[0, 3]  # as many values far out as in the middle
    diagnosis_a = "uniform" if flat else "truncated"


# %% diagnose-a | right | looks the model up, and shouts
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_a = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["a"]]
diagnosis_a = f" {diagnosis_a.upper()} "


# %% diagnose-a | wrong | nothing
diagnosis_a = ""


# %% diagnose-a | wrong | the finding in words of their own
diagnosis_a = "the projections are not scaled"


# %% diagnose-a | wrong | all findings, for one of them is right
diagnosis_a = ", ".join(FINDINGS)


# %% diagnose-a | wrong | the number of the row
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_a = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["a"]]
diagnosis_a = FINDINGS.index(diagnosis_a)


# %% diagnose-a | wrong | takes each fault for another that looks like it
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_a = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["a"]]
ALIKE = {
    "none": "truncated",
    "unscaled": "attention-only",
    "all-scaled": "none",
    "attention-only": "unscaled",
    "blocks-counted": "variance-scaled",
    "own-index": "blocks-counted",
    "variance-scaled": "blocks-counted",
    "std-as-variance": "pytorch",
    "wpe-0.01": "none",
    "pytorch": "std-as-variance",
    "biases": "none",
    "block-missed": "biases",
    "uniform": "truncated",
    "truncated": "uniform",
}
diagnosis_a = ALIKE[diagnosis_a]


# %% diagnose-a | wrong | one row further down in the table
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_a = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["a"]]
diagnosis_a = FINDINGS[(FINDINGS.index(diagnosis_a) + 1) % len(FINDINGS)]


# %% diagnose-a | wrong | the finding of a model of another student
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
theirs = random.Random("histograms of another").sample([code for code in codes if code != dealt["a"]], 1)[0]
mine_is, theirs_is = (next(f for f, both in FOUND.items() if code in both) for code in (dealt["a"], theirs))
diagnosis_a = theirs_is if theirs_is != mine_is else "two models of one kind"


# %% diagnose-b | right | decides step by step, from widths, biases and shapes
def std_of(kind):  # (blocks,)
    h = models["b"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["b"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["b"]["biases"].counts)
attention, mlp = std_of("attn.c_proj.weight") / 0.02, std_of("mlp.c_proj.weight") / 0.02
with_bias = int((std_of("biases") > 1e-3).sum())
if with_bias:
    everywhere = "pytorch" if std_of("wte.weight") > 0.5 else "biases"
    diagnosis_b = everywhere if with_bias == n else "block-missed"
elif std_of("wte.weight") > 0.1:
    diagnosis_b = "std-as-variance"
elif std_of("wpe.weight") < 0.015:
    diagnosis_b = "wpe-0.01"
elif std_of("attn.c_attn.weight")[0] < 0.015:
    diagnosis_b = "all-scaled"
elif kurtosis_of("wte.weight") < 2.7:
    diagnosis_b = "uniform" if kurtosis_of("wte.weight") < 2.1 else "truncated"
elif mlp[-1] > 0.9:
    diagnosis_b = "unscaled" if attention[-1] > 0.9 else "attention-only"
elif mlp[0] > 1.2 * mlp[-1]:
    diagnosis_b = "own-index"
else:
    size = float(mlp.mean())
    choices = {"none": (2 * n) ** -0.5, "blocks-counted": n**-0.5, "variance-scaled": (2 * n) ** -0.25}
    diagnosis_b = min(choices, key=lambda finding: abs(choices[finding] - size))


# %% diagnose-b | right | compares all widths with what each finding would give
def std_of(kind):  # (blocks,)
    h = models["b"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["b"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["b"]["biases"].counts)
reads, writes = ["attn.c_attn.weight", "mlp.c_fc.weight"], ["attn.c_proj.weight", "mlp.c_proj.weight"]
kinds = ["wte.weight", "wpe.weight", *reads, *writes]
seen = torch.cat([std_of(kind).expand(n) for kind in kinds] + [std_of("biases") + 1e-3]).log()


def expected(embeddings, readers, attention, mlp, biases=0.0):
    row = [embeddings[0], embeddings[1], *readers, attention, mlp]
    rows = [torch.as_tensor(std).expand(n) for std in row] + [torch.as_tensor(biases).expand(n) + 1e-3]
    return torch.cat(rows).log()


e, r, s, i = (0.02, 0.02), (0.02, 0.02), 0.02 / (2 * n) ** 0.5, torch.arange(1, n + 1)
default, missed = 192**-0.5, i == n // 2 + 1
sizes = {
    "none": expected(e, r, s, s),
    "unscaled": expected(e, r, 0.02, 0.02),
    "all-scaled": expected(e, (s, s), s, s),
    "attention-only": expected(e, r, s, 0.02),
    "blocks-counted": expected(e, r, 0.02 * n**-0.5, 0.02 * n**-0.5),
    "own-index": expected(e, r, 0.02 / (2 * i) ** 0.5, 0.02 / (2 * i) ** 0.5),
    "variance-scaled": expected(e, r, 0.02 * (2 * n) ** -0.25, 0.02 * (2 * n) ** -0.25),
    "std-as-variance": expected((0.141, 0.141), (0.141, 0.141), s * 50**0.5, s * 50**0.5),
    "wpe-0.01": expected((0.02, 0.01), r, s, s),
    "pytorch": expected((1.0, 1.0), (default, default), default, default / 2, 0.068),
    "biases": expected(e, r, s, s, 0.068),
    "block-missed": expected(
        e,
        [torch.where(missed, default, 0.02)] * 2,
        torch.where(missed, default, s),
        torch.where(missed, default / 2, s),
        missed * 0.068,
    ),
}
diagnosis_b = min(sizes, key=lambda finding: float((sizes[finding] - seen).square().sum()))
if diagnosis_b == "none" and kurtosis_of("mlp.c_fc.weight") < 2.7:
    h = models["b"]["mlp.c_fc.weight"]
    flat = h.counts[0, 20] < 1.3 * h.counts[0, 3]  # as many values far out as in the middle
    diagnosis_b = "uniform" if flat else "truncated"


# %% diagnose-b | right | looks the model up, and shouts
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_b = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["b"]]
diagnosis_b = f" {diagnosis_b.upper()} "


# %% diagnose-b | wrong | nothing
diagnosis_b = ""


# %% diagnose-b | wrong | the finding in words of their own
diagnosis_b = "the projections are not scaled"


# %% diagnose-b | wrong | all findings, for one of them is right
diagnosis_b = ", ".join(FINDINGS)


# %% diagnose-b | wrong | the number of the row
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_b = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["b"]]
diagnosis_b = FINDINGS.index(diagnosis_b)


# %% diagnose-b | wrong | takes each fault for another that looks like it
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_b = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["b"]]
ALIKE = {
    "none": "truncated",
    "unscaled": "attention-only",
    "all-scaled": "none",
    "attention-only": "unscaled",
    "blocks-counted": "variance-scaled",
    "own-index": "blocks-counted",
    "variance-scaled": "blocks-counted",
    "std-as-variance": "pytorch",
    "wpe-0.01": "none",
    "pytorch": "std-as-variance",
    "biases": "none",
    "block-missed": "biases",
    "uniform": "truncated",
    "truncated": "uniform",
}
diagnosis_b = ALIKE[diagnosis_b]


# %% diagnose-b | wrong | one row further down in the table
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_b = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["b"]]
diagnosis_b = FINDINGS[(FINDINGS.index(diagnosis_b) + 1) % len(FINDINGS)]


# %% diagnose-b | wrong | the finding of a model of another student
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
theirs = random.Random("histograms of another").sample([code for code in codes if code != dealt["b"]], 1)[0]
mine_is, theirs_is = (next(f for f, both in FOUND.items() if code in both) for code in (dealt["b"], theirs))
diagnosis_b = theirs_is if theirs_is != mine_is else "two models of one kind"


# %% diagnose-c | right | decides step by step, from widths, biases and shapes
def std_of(kind):  # (blocks,)
    h = models["c"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["c"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["c"]["biases"].counts)
attention, mlp = std_of("attn.c_proj.weight") / 0.02, std_of("mlp.c_proj.weight") / 0.02
with_bias = int((std_of("biases") > 1e-3).sum())
if with_bias:
    everywhere = "pytorch" if std_of("wte.weight") > 0.5 else "biases"
    diagnosis_c = everywhere if with_bias == n else "block-missed"
elif std_of("wte.weight") > 0.1:
    diagnosis_c = "std-as-variance"
elif std_of("wpe.weight") < 0.015:
    diagnosis_c = "wpe-0.01"
elif std_of("attn.c_attn.weight")[0] < 0.015:
    diagnosis_c = "all-scaled"
elif kurtosis_of("wte.weight") < 2.7:
    diagnosis_c = "uniform" if kurtosis_of("wte.weight") < 2.1 else "truncated"
elif mlp[-1] > 0.9:
    diagnosis_c = "unscaled" if attention[-1] > 0.9 else "attention-only"
elif mlp[0] > 1.2 * mlp[-1]:
    diagnosis_c = "own-index"
else:
    size = float(mlp.mean())
    choices = {"none": (2 * n) ** -0.5, "blocks-counted": n**-0.5, "variance-scaled": (2 * n) ** -0.25}
    diagnosis_c = min(choices, key=lambda finding: abs(choices[finding] - size))


# %% diagnose-c | right | compares all widths with what each finding would give
def std_of(kind):  # (blocks,)
    h = models["c"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["c"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["c"]["biases"].counts)
reads, writes = ["attn.c_attn.weight", "mlp.c_fc.weight"], ["attn.c_proj.weight", "mlp.c_proj.weight"]
kinds = ["wte.weight", "wpe.weight", *reads, *writes]
seen = torch.cat([std_of(kind).expand(n) for kind in kinds] + [std_of("biases") + 1e-3]).log()


def expected(embeddings, readers, attention, mlp, biases=0.0):
    row = [embeddings[0], embeddings[1], *readers, attention, mlp]
    rows = [torch.as_tensor(std).expand(n) for std in row] + [torch.as_tensor(biases).expand(n) + 1e-3]
    return torch.cat(rows).log()


e, r, s, i = (0.02, 0.02), (0.02, 0.02), 0.02 / (2 * n) ** 0.5, torch.arange(1, n + 1)
default, missed = 192**-0.5, i == n // 2 + 1
sizes = {
    "none": expected(e, r, s, s),
    "unscaled": expected(e, r, 0.02, 0.02),
    "all-scaled": expected(e, (s, s), s, s),
    "attention-only": expected(e, r, s, 0.02),
    "blocks-counted": expected(e, r, 0.02 * n**-0.5, 0.02 * n**-0.5),
    "own-index": expected(e, r, 0.02 / (2 * i) ** 0.5, 0.02 / (2 * i) ** 0.5),
    "variance-scaled": expected(e, r, 0.02 * (2 * n) ** -0.25, 0.02 * (2 * n) ** -0.25),
    "std-as-variance": expected((0.141, 0.141), (0.141, 0.141), s * 50**0.5, s * 50**0.5),
    "wpe-0.01": expected((0.02, 0.01), r, s, s),
    "pytorch": expected((1.0, 1.0), (default, default), default, default / 2, 0.068),
    "biases": expected(e, r, s, s, 0.068),
    "block-missed": expected(
        e,
        [torch.where(missed, default, 0.02)] * 2,
        torch.where(missed, default, s),
        torch.where(missed, default / 2, s),
        missed * 0.068,
    ),
}
diagnosis_c = min(sizes, key=lambda finding: float((sizes[finding] - seen).square().sum()))
if diagnosis_c == "none" and kurtosis_of("mlp.c_fc.weight") < 2.7:
    h = models["c"]["mlp.c_fc.weight"]
    flat = h.counts[0, 20] < 1.3 * h.counts[0, 3]  # as many values far out as in the middle
    diagnosis_c = "uniform" if flat else "truncated"


# %% diagnose-c | right | looks the model up, and shouts
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_c = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["c"]]
diagnosis_c = f" {diagnosis_c.upper()} "


# %% diagnose-c | wrong | nothing
diagnosis_c = ""


# %% diagnose-c | wrong | the finding in words of their own
diagnosis_c = "the projections are not scaled"


# %% diagnose-c | wrong | all findings, for one of them is right
diagnosis_c = ", ".join(FINDINGS)


# %% diagnose-c | wrong | the number of the row
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_c = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["c"]]
diagnosis_c = FINDINGS.index(diagnosis_c)


# %% diagnose-c | wrong | takes each fault for another that looks like it
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_c = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["c"]]
ALIKE = {
    "none": "truncated",
    "unscaled": "attention-only",
    "all-scaled": "none",
    "attention-only": "unscaled",
    "blocks-counted": "variance-scaled",
    "own-index": "blocks-counted",
    "variance-scaled": "blocks-counted",
    "std-as-variance": "pytorch",
    "wpe-0.01": "none",
    "pytorch": "std-as-variance",
    "biases": "none",
    "block-missed": "biases",
    "uniform": "truncated",
    "truncated": "uniform",
}
diagnosis_c = ALIKE[diagnosis_c]


# %% diagnose-c | wrong | one row further down in the table
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_c = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["c"]]
diagnosis_c = FINDINGS[(FINDINGS.index(diagnosis_c) + 1) % len(FINDINGS)]


# %% diagnose-c | wrong | the finding of a model of another student
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
theirs = random.Random("histograms of another").sample([code for code in codes if code != dealt["c"]], 1)[0]
mine_is, theirs_is = (next(f for f, both in FOUND.items() if code in both) for code in (dealt["c"], theirs))
diagnosis_c = theirs_is if theirs_is != mine_is else "two models of one kind"


# %% diagnose-d | right | decides step by step, from widths, biases and shapes
def std_of(kind):  # (blocks,)
    h = models["d"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["d"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["d"]["biases"].counts)
attention, mlp = std_of("attn.c_proj.weight") / 0.02, std_of("mlp.c_proj.weight") / 0.02
with_bias = int((std_of("biases") > 1e-3).sum())
if with_bias:
    everywhere = "pytorch" if std_of("wte.weight") > 0.5 else "biases"
    diagnosis_d = everywhere if with_bias == n else "block-missed"
elif std_of("wte.weight") > 0.1:
    diagnosis_d = "std-as-variance"
elif std_of("wpe.weight") < 0.015:
    diagnosis_d = "wpe-0.01"
elif std_of("attn.c_attn.weight")[0] < 0.015:
    diagnosis_d = "all-scaled"
elif kurtosis_of("wte.weight") < 2.7:
    diagnosis_d = "uniform" if kurtosis_of("wte.weight") < 2.1 else "truncated"
elif mlp[-1] > 0.9:
    diagnosis_d = "unscaled" if attention[-1] > 0.9 else "attention-only"
elif mlp[0] > 1.2 * mlp[-1]:
    diagnosis_d = "own-index"
else:
    size = float(mlp.mean())
    choices = {"none": (2 * n) ** -0.5, "blocks-counted": n**-0.5, "variance-scaled": (2 * n) ** -0.25}
    diagnosis_d = min(choices, key=lambda finding: abs(choices[finding] - size))


# %% diagnose-d | right | compares all widths with what each finding would give
def std_of(kind):  # (blocks,)
    h = models["d"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return ((h.counts * middle**2).sum(1) / h.counts.sum(1)).sqrt()


def kurtosis_of(kind):  # of the first tensor: 3 if it is normal, 1.8 if it is uniform
    h = models["d"][kind]
    middle = (h.edges[1:] + h.edges[:-1]) / 2
    return float((h.counts * middle**4).sum(1)[0] / h.counts.sum(1)[0] / std_of(kind)[0] ** 4)


n = len(models["d"]["biases"].counts)
reads, writes = ["attn.c_attn.weight", "mlp.c_fc.weight"], ["attn.c_proj.weight", "mlp.c_proj.weight"]
kinds = ["wte.weight", "wpe.weight", *reads, *writes]
seen = torch.cat([std_of(kind).expand(n) for kind in kinds] + [std_of("biases") + 1e-3]).log()


def expected(embeddings, readers, attention, mlp, biases=0.0):
    row = [embeddings[0], embeddings[1], *readers, attention, mlp]
    rows = [torch.as_tensor(std).expand(n) for std in row] + [torch.as_tensor(biases).expand(n) + 1e-3]
    return torch.cat(rows).log()


e, r, s, i = (0.02, 0.02), (0.02, 0.02), 0.02 / (2 * n) ** 0.5, torch.arange(1, n + 1)
default, missed = 192**-0.5, i == n // 2 + 1
sizes = {
    "none": expected(e, r, s, s),
    "unscaled": expected(e, r, 0.02, 0.02),
    "all-scaled": expected(e, (s, s), s, s),
    "attention-only": expected(e, r, s, 0.02),
    "blocks-counted": expected(e, r, 0.02 * n**-0.5, 0.02 * n**-0.5),
    "own-index": expected(e, r, 0.02 / (2 * i) ** 0.5, 0.02 / (2 * i) ** 0.5),
    "variance-scaled": expected(e, r, 0.02 * (2 * n) ** -0.25, 0.02 * (2 * n) ** -0.25),
    "std-as-variance": expected((0.141, 0.141), (0.141, 0.141), s * 50**0.5, s * 50**0.5),
    "wpe-0.01": expected((0.02, 0.01), r, s, s),
    "pytorch": expected((1.0, 1.0), (default, default), default, default / 2, 0.068),
    "biases": expected(e, r, s, s, 0.068),
    "block-missed": expected(
        e,
        [torch.where(missed, default, 0.02)] * 2,
        torch.where(missed, default, s),
        torch.where(missed, default / 2, s),
        missed * 0.068,
    ),
}
diagnosis_d = min(sizes, key=lambda finding: float((sizes[finding] - seen).square().sum()))
if diagnosis_d == "none" and kurtosis_of("mlp.c_fc.weight") < 2.7:
    h = models["d"]["mlp.c_fc.weight"]
    flat = h.counts[0, 20] < 1.3 * h.counts[0, 3]  # as many values far out as in the middle
    diagnosis_d = "uniform" if flat else "truncated"


# %% diagnose-d | right | looks the model up, and shouts
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_d = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["d"]]
diagnosis_d = f" {diagnosis_d.upper()} "


# %% diagnose-d | wrong | nothing
diagnosis_d = ""


# %% diagnose-d | wrong | the finding in words of their own
diagnosis_d = "the projections are not scaled"


# %% diagnose-d | wrong | all findings, for one of them is right
diagnosis_d = ", ".join(FINDINGS)


# %% diagnose-d | wrong | the number of the row
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_d = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["d"]]
diagnosis_d = FINDINGS.index(diagnosis_d)


# %% diagnose-d | wrong | takes each fault for another that looks like it
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_d = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["d"]]
ALIKE = {
    "none": "truncated",
    "unscaled": "attention-only",
    "all-scaled": "none",
    "attention-only": "unscaled",
    "blocks-counted": "variance-scaled",
    "own-index": "blocks-counted",
    "variance-scaled": "blocks-counted",
    "std-as-variance": "pytorch",
    "wpe-0.01": "none",
    "pytorch": "std-as-variance",
    "biases": "none",
    "block-missed": "biases",
    "uniform": "truncated",
    "truncated": "uniform",
}
diagnosis_d = ALIKE[diagnosis_d]


# %% diagnose-d | wrong | one row further down in the table
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
diagnosis_d = {code: finding for finding, both in FOUND.items() for code in both.split()}[dealt["d"]]
diagnosis_d = FINDINGS[(FINDINGS.index(diagnosis_d) + 1) % len(FINDINGS)]


# %% diagnose-d | wrong | the finding of a model of another student
FOUND = {
    "none": "z9 dv",
    "unscaled": "k9 yw",
    "all-scaled": "q8 cd",
    "attention-only": "pg ka",
    "blocks-counted": "ec ny",
    "own-index": "cx h7",
    "variance-scaled": "wx hm",
    "std-as-variance": "xk be",
    "wpe-0.01": "t9 as",
    "pytorch": "vc b7",
    "biases": "nq f8",
    "block-missed": "dt pt",
    "uniform": "zn kw",
    "truncated": "at f7",
}
theirs = random.Random("histograms of another").sample([code for code in codes if code != dealt["d"]], 1)[0]
mine_is, theirs_is = (next(f for f, both in FOUND.items() if code in both) for code in (dealt["d"], theirs))
diagnosis_d = theirs_is if theirs_is != mine_is else "two models of one kind"


# %% marker | wrong | cuts the normal distribution at three std
def mark(model):
    for block in model.h:
        block.attn.o_proj.NANOGPT_SCALE_INIT = True
        block.mlp.down_proj.NANOGPT_SCALE_INIT = True


def fill(module, n_layer, generator):
    std = 0.02
    if hasattr(module, "NANOGPT_SCALE_INIT"):
        std *= (2 * n_layer) ** -0.5
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.trunc_normal_(module.weight, std=std, a=-3 * std, b=3 * std, generator=generator)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
