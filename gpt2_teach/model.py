"""GPT-2 in one page: two layers that share a matrix, and the rule that fills every tensor.

The classes follow `train_gpt2.py` of karpathy/build-nanogpt and carry the names of the Hugging Face
checkpoint, so that weights travel both ways. What the book compares is chosen by three arguments of
`GPT`; nothing else about the class changes.
"""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from gpt2_teach._checks import as_generator, check_ids, is_a, one_of
from gpt2_teach._filling import layer_filling
from gpt2_teach.config import GPTConfig
from gpt2_teach.initialization import INIT_STD, residual_std


class CausalSelfAttention(nn.Module):
    """Each position averages the values of itself and of those before it: (B, T, C) -> (B, T, C)."""

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
    """Each position by itself, four times as wide inside: (B, T, C) -> (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.c_fc = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.gelu = nn.GELU(approximate="tanh")  # the approximation that GPT-2 was trained with
        self.c_proj = nn.Linear(4 * config.n_embd, config.n_embd)
        self.c_proj.NANOGPT_SCALE_INIT = True  # its output is added to the residual stream

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(self.gelu(self.c_fc(x)))  # (B, T, 4C) inside


class Block(nn.Module):
    """Two residual additions: attention, then the MLP, each behind its own LayerNorm."""

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
    """GPT-2 with its input embedding and its output head sharing one matrix.

    Args:
        config: the sizes; `GPTConfig()` is GPT-2 small.
        tie: whose Parameter both layers hold. `"lm_head"` assigns `wte.weight = lm_head.weight` as
            build-nanogpt does, `"wte"` assigns the other way round, `None` leaves two matrices.
        residual_scaling: divide the std of `attn.c_proj` and `mlp.c_proj` by sqrt(2 * n_layer).
        init: `"gpt2"` for `_init_weights`, `"pytorch"` to keep what `nn.Linear` and `nn.Embedding` draw.
        generator: a `torch.Generator`, or a whole number used as a seed; `None` draws from PyTorch's
            global generator, as every `nn.Module` does.

    Raises:
        TypeError, ValueError: an argument is not among these, or token ids do not fit `config`.

    Source: the sharing is that of Press and Wolf (2017), the scaling that of Radford et al. (2019).

    >>> model = GPT(GPTConfig.preset("tiny"), generator=0)
    >>> model.transformer.wte.weight is model.lm_head.weight
    True
    >>> logits, loss = model(torch.tensor([[1, 2, 3]]))
    >>> logits.shape, loss
    (torch.Size([1, 3, 256]), None)
    """

    transformer: Any  # an nn.ModuleDict: a type checker cannot know what it holds

    def __init__(
        self,
        config: GPTConfig,
        *,
        tie: Literal["lm_head", "wte"] | None = "lm_head",
        residual_scaling: bool = True,
        init: Literal["gpt2", "pytorch"] = "gpt2",
        generator: torch.Generator | int | None = None,
    ) -> None:
        generator = _checked(config, tie, residual_scaling, init, generator)
        super().__init__()
        self.config = config
        self.residual_scaling = residual_scaling

        # draw nothing that is discarded
        with layer_filling(fill=init == "pytorch", generator=generator):
            self.transformer = nn.ModuleDict(
                dict(
                    wte=nn.Embedding(config.vocab_size, config.n_embd),
                    wpe=nn.Embedding(config.block_size, config.n_embd),
                    h=nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
                    ln_f=nn.LayerNorm(config.n_embd),
                )
            )
            self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

        # weight sharing: only now that both layers exist is there a matrix to give up
        if tie == "lm_head":
            self.transformer.wte.weight = self.lm_head.weight
        elif tie == "wte":
            self.lm_head.weight = self.transformer.wte.weight

        # init params
        if init == "gpt2":
            self.apply(lambda module: self._init_weights(module, generator))

    def _init_weights(self, module: nn.Module, generator: torch.Generator | None) -> None:
        if module is self.lm_head and self.lm_head.weight is self.transformer.wte.weight:
            # `apply` filled this very Parameter as wte, from the same N(0, 0.02²)
            return
        if isinstance(module, nn.Linear):
            std = INIT_STD
            if self.residual_scaling and hasattr(module, "NANOGPT_SCALE_INIT"):
                std = residual_std(self.config.n_layer)
            nn.init.normal_(module.weight, mean=0.0, std=std, generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=INIT_STD, generator=generator)

    def forward(
        self,
        idx: Tensor,
        targets: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Logits (B, T, vocab_size) of token ids `idx` (B, T); given `targets` (B, T), also the loss in nats.

        Raises TypeError or ValueError if the ids are not whole numbers, outside the vocabulary, or too many.
        """
        config, device = self.config, self.lm_head.weight.device
        check_ids(idx, targets, config.vocab_size, config.block_size, device)
        positions = torch.arange(idx.shape[1], device=device)  # (T,)
        x = self.transformer.wte(idx) + self.transformer.wpe(positions)  # (B, T, C)
        for block in self.transformer.h:
            x = block(x)  # (B, T, C)
        logits = self.lm_head(self.transformer.ln_f(x))  # (B, T, vocab_size)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten().long())


def _checked(
    config: GPTConfig, tie: object, residual_scaling: object, init: object, generator: object
) -> torch.Generator | None:
    """The generator to draw from, if one or its seed is given. Raises unless all are what `GPT` takes."""
    is_a("config", config, GPTConfig)
    one_of("tie", tie, ("lm_head", "wte", None))
    one_of("residual_scaling", residual_scaling, (True, False))
    one_of("init", init, ("gpt2", "pytorch"))
    return None if generator is None else as_generator("generator", generator)
