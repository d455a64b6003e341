"""The number of parameters of a GPT-2, from its sizes alone, and the share that tying saves."""

from dataclasses import dataclass

from gpt2_teach.config import GPTConfig, checked_config


@dataclass(frozen=True)
class ParameterCounts:
    """The number of parameters of a GPT-2, tied and untied."""

    tied: int
    untied: int
    shared: int  # in the shared matrix, vocab_size x n_embd

    @property
    def share_of_untied(self) -> float:
        """Return the fraction of the untied model that tying saves."""
        return self.shared / self.untied

    @property
    def share_of_tied(self) -> float:
        """Return the same matrix as a fraction of the tied model."""
        return self.shared / self.tied


def parameter_counts(config: GPTConfig) -> ParameterCounts:
    """Count the parameters of `GPT(config)` from its sizes, without building the model.

    >>> parameter_counts(GPTConfig())
    ParameterCounts(tied=124439808, untied=163037184, shared=38597376)
    """
    C = checked_config(config).n_embd
    shared = config.vocab_size * C
    attention = (C + 1) * 3 * C + (C + 1) * C  # c_attn and c_proj, with biases
    mlp = (C + 1) * 4 * C + (4 * C + 1) * C  # c_fc and c_proj
    block = attention + mlp + 2 * 2 * C  # and two LayerNorms
    tied = shared + config.block_size * C + config.n_layer * block + 2 * C
    return ParameterCounts(tied, tied + shared, shared)
