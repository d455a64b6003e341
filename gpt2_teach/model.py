"""GPT-2: two layers that share a matrix, and the rule that fills every tensor.

The classes follow `train_gpt2.py` of karpathy/build-nanogpt and use the names of the Hugging Face
checkpoint, so that weights can be loaded in both directions. `build_gpt` builds the variants that the
book compares.
"""

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gpt2_teach.checks import as_generator, check_ids, one_of
from gpt2_teach.config import GPTConfig, checked_config
from gpt2_teach.fill_once import fill_once, postponed_fills
from gpt2_teach.initialization import INIT_STD

LogitsAndLoss = tuple[Tensor, Tensor | None]


class CausalSelfAttention(nn.Module):
    """Let each position average the values of itself and of earlier positions: (B, T, C) -> (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.c_proj.NANOGPT_SCALE_INIT = True  # its output is added to the residual stream
        self.n_head = config.n_head

    def forward(self, x: Tensor) -> Tensor:
        B, T, C = x.shape
        qkv = self.c_attn(x).view(B, T, 3, self.n_head, C // self.n_head)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # (B, nh, T, hs) each
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, nh, T, hs)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))  # (B, T, C)


class MLP(nn.Module):
    """Transform each position independently, through a hidden layer of width 4C: (B, T, C) -> (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.gelu = nn.GELU(approximate="tanh")  # the approximation that GPT-2 was trained with
        self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd)
        self.c_proj.NANOGPT_SCALE_INIT = True  # its output is added to the residual stream

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(self.gelu(self.c_fc(x)))  # (B, T, 4C) inside


class Block(nn.Module):
    """Add attention, then the MLP, to the residual stream, which each reads through its own LayerNorm."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = MLP(config)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))  # (B, T, C)
        x = x + self.mlp(self.ln_2(x))  # (B, T, C)
        return x


class GPT(nn.Module):
    """GPT-2, whose input embedding and output head share one matrix.

    `config` gives the sizes; `GPTConfig()` is GPT-2 small. Values are drawn from PyTorch's global generator,
    as in every `nn.Module`. The sharing follows Press and Wolf (2017), the scaling Radford et al. (2019).

    >>> model = GPT(GPTConfig.preset("tiny"))
    >>> model.transformer.wte.weight is model.lm_head.weight
    True
    >>> logits, loss = model(torch.tensor([[1, 2, 3]]))
    >>> logits.shape, loss
    (torch.Size([1, 3, 256]), None)
    """

    @fill_once  # saves time: values that would be overwritten are not drawn
    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = checked_config(config)

        self.transformer: Any = nn.ModuleDict(
            dict(
                wte=nn.Embedding(config.vocab_size, config.n_embd),
                wpe=nn.Embedding(config.block_size, config.n_embd),
                h=nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
                ln_f=nn.LayerNorm(config.n_embd),
            )
        )
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

        # weight sharing
        self.transformer.wte.weight = self.lm_head.weight

        # init params
        self.apply(self._init_weights)

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            std = INIT_STD
            if hasattr(module, "NANOGPT_SCALE_INIT"):
                std *= (2 * self.config.n_layer) ** -0.5
            nn.init.normal_(module.weight, mean=0.0, std=std)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=INIT_STD)

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> LogitsAndLoss:
        """Return logits (B, T, vocab_size) for ids (B, T) and, given targets (B, T), the loss in nats."""
        check_ids(self, idx, targets)
        positions = torch.arange(idx.shape[1], device=idx.device)  # (T,)
        x = self.transformer.wte(idx) + self.transformer.wpe(positions)  # (B, T, C)
        for block in self.transformer.h:
            x = block(x)  # (B, T, C)
        logits = self.lm_head(self.transformer.ln_f(x))  # (B, T, vocab_size)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten().long())


def build_gpt(
    config: GPTConfig,
    *,
    tie: Literal["lm_head", "wte"] | None = "lm_head",
    residual_scaling: bool = True,
    init: Literal["gpt2", "pytorch"] = "gpt2",
    generator: torch.Generator | int | None = None,
) -> GPT:
    """Build a `GPT`, or one of the variants that the book compares with it.

    Args:
        config: the sizes.
        tie: the layer whose Parameter both layers use: `"lm_head"` for the assignment
            `wte.weight = lm_head.weight` of build-nanogpt, `"wte"` for the reverse, `None` for two matrices.
        residual_scaling: divide the std of `attn.c_proj` and `mlp.c_proj` by sqrt(2 * n_layer).
        init: `"gpt2"` for `GPT._init_weights`, `"pytorch"` for the layers' own defaults.
        generator: a `torch.Generator` or a seed; `None` for PyTorch's global generator.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.

    >>> untied = build_gpt(GPTConfig.preset("tiny"), tie=None, generator=0)
    >>> untied.transformer.wte.weight is untied.lm_head.weight
    False
    """
    one_of("tie", tie, ("lm_head", "wte", None))
    one_of("residual_scaling", residual_scaling, (True, False))
    one_of("init", init, ("gpt2", "pytorch"))
    drawn_from = None if generator is None else as_generator("generator", generator)
    with postponed_fills(drawn_from) as fills:
        model = GPT(config)
        wte = model.transformer.wte
        if tie is None:
            wte.weight = nn.Parameter(torch.empty(config.vocab_size, config.n_embd))
        if not residual_scaling:
            for layer in model.modules():
                vars(layer).pop("NANOGPT_SCALE_INIT", None)
        if init == "gpt2":
            model.apply(model._init_weights)
        else:
            for layer in model.modules():  # lm_head is the last of them, so a shared matrix has its values
                if isinstance(layer, nn.Linear | nn.Embedding):
                    layer.reset_parameters()
            if tie == "wte":
                wte.reset_parameters()
    fills.carry_out(model)
    return model
