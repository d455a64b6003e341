"""The five sizes that define a GPT-2, and the four models that were released.

Field names follow `train_gpt2.py` of karpathy/build-nanogpt; the sizes are from table 2 of
Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", as released.
"""

from dataclasses import dataclass, fields, replace
from typing import Self

from gpt2_teach.checks import is_a, one_of, positive_int

_SIZES: dict[str, dict[str, int]] = {
    "gpt2": dict(n_layer=12, n_head=12, n_embd=768),
    "gpt2-medium": dict(n_layer=24, n_head=16, n_embd=1024),
    "gpt2-large": dict(n_layer=36, n_head=20, n_embd=1280),
    "gpt2-xl": dict(n_layer=48, n_head=25, n_embd=1600),
    "tiny": dict(block_size=64, vocab_size=256, n_layer=4, n_head=4, n_embd=64),  # builds in milliseconds
}


@dataclass(frozen=True)
class GPTConfig:
    """The sizes of a GPT-2; the default is GPT-2 small.

    Raises:
        TypeError: a field is not a whole number.
        ValueError: a field is below 1, or `n_embd` is not divisible by `n_head`.

    >>> GPTConfig().n_residual
    24
    >>> GPTConfig(n_embd=770)
    Traceback (most recent call last):
        ...
    ValueError: n_embd must be divisible by n_head, got n_embd=770 and n_head=12
    """

    block_size: int = 1024  # longest sequence, in tokens
    vocab_size: int = 50257  # 50,000 byte-pair merges + 256 bytes + <|endoftext|>
    n_layer: int = 12  # blocks
    n_head: int = 12  # attention heads per block
    n_embd: int = 768  # channels of the residual stream

    def __post_init__(self) -> None:
        for field in fields(self):
            size = positive_int(field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, size)  # numpy's integers would overflow in products
        if self.n_embd % self.n_head:
            raise ValueError(
                f"n_embd must be divisible by n_head, got n_embd={self.n_embd} and n_head={self.n_head}"
            )

    @property
    def n_residual(self) -> int:
        """Return N, the number of residual additions: one each for attention and MLP in every block."""
        return 2 * self.n_layer

    @classmethod
    def preset(cls, name: str, **changes: int) -> Self:
        """Return a named configuration, with the fields in `changes` replaced.

        `name` is one of `gpt2`, `gpt2-medium`, `gpt2-large`, `gpt2-xl`, or `tiny`, which is not a released
        model. Raises ValueError for any other name.
        """
        one_of("name", name, tuple(_SIZES))
        return replace(cls(**_SIZES[name]), **changes)


def checked_config(config: object) -> GPTConfig:
    """Return `config`, or raise TypeError if it is not a `GPTConfig`."""
    return is_a("config", config, GPTConfig)
