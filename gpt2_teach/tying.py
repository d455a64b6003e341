"""Tests that tell whether two layers share a matrix, and the two parts of its gradient.

Tying the input embedding to the output head is from Press and Wolf (2017), "Using the Output Embedding to
Improve Language Models", and Inan, Khosravi and Socher (2017), "Tying Word Vectors and Word Classifiers".
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.func import functional_call

from gpt2_teach.checks import is_a

INPUT, OUTPUT = "transformer.wte.weight", "lm_head.weight"  # the two names of the one matrix


@dataclass(frozen=True)
class Tie:
    """What two weights have in common, from the weakest evidence of a tie to the proof of one."""

    same_shape: bool
    equal: bool | None  # None on the meta device, which has no values
    same_pointer: bool  # `data_ptr()` agrees; on the meta device it is 0 for every tensor
    same_storage: bool  # the same bytes of memory
    same_parameter: bool  # one `nn.Parameter`: one gradient, one optimizer entry. This is the tie
    parameters_saved: int  # in the optimizer: 0 unless there is only one Parameter
    bytes_saved: int  # in memory: shared storage is enough


def inspect_tie(a: nn.Module, b: nn.Module) -> Tie:
    """Compare `a.weight` with `b.weight`.

    Raises TypeError if a module has no weight that is an `nn.Parameter`.

    >>> wte, lm_head = nn.Embedding(10, 4), nn.Linear(4, 10, bias=False)
    >>> wte.weight = lm_head.weight
    >>> tie = inspect_tie(wte, lm_head)
    >>> tie.same_parameter, tie.parameters_saved, tie.bytes_saved
    (True, 40, 160)
    >>> wte.weight = nn.Parameter(lm_head.weight.data)  # the trap: same memory, two Parameters
    >>> tie = inspect_tie(wte, lm_head)
    >>> tie.same_pointer, tie.same_parameter, tie.parameters_saved
    (True, False, 0)
    """
    x, y = _weight("a", a), _weight("b", b)
    same_parameter = x is y
    same_pointer = x.data_ptr() == y.data_ptr()
    same_storage = same_parameter or (same_pointer and x.data_ptr() != 0)  # 0 on the meta device
    return Tie(
        same_shape=x.shape == y.shape,
        equal=None if x.is_meta or y.is_meta else torch.equal(x, y),
        same_pointer=same_pointer,
        same_storage=same_storage,
        same_parameter=same_parameter,
        parameters_saved=x.numel() if same_parameter else 0,
        bytes_saved=min(x.nbytes, y.nbytes) if same_storage else 0,
    )


@torch.no_grad()
def write_shows_through(a: nn.Module, b: nn.Module) -> bool:
    """Return whether a value written to `a.weight` appears in `b.weight`; the old value is restored.

    Raises TypeError as `inspect_tie` does, and ValueError on the meta device, which has no values.
    """
    x, y = _weight("a", a).data, _weight("b", b).data  # a write to `.data` does not stop a later backward
    if x.is_meta or y.is_meta:
        raise ValueError("a and b must have values, but a weight is on the meta device")
    x_first, y_first = (0,) * x.ndim, (0,) * y.ndim
    before, shows = x[x_first].clone(), True
    for value in (0, 1):  # two values, since the entry may equal one of them by chance
        x[x_first] = value
        shows = shows and bool(y[y_first] == value)
    x[x_first] = before
    return shows


@dataclass(frozen=True)
class GradientSplit:
    """The two parts of the gradient of a shared matrix, each (vocab_size, n_embd)."""

    input_part: Tensor  # through wte, where tokens are read: zero except in rows of tokens that occur
    output_part: Tensor  # through lm_head, where every token is scored

    @property
    def total(self) -> Tensor:
        """Return their sum, which is `weight.grad` of the tied model."""
        return self.input_part + self.output_part


def split_gradient(model: nn.Module, idx: Tensor, targets: Tensor) -> GradientSplit:
    """Split the gradient of the loss at the shared matrix into one part for each of its two uses.

    `model` is a `GPT`, which is not changed; `idx` and `targets` are (B, T) token ids. Raises ValueError if
    `model` is not tied, and whatever `model(idx, targets)` raises.
    """
    if model.get_parameter(INPUT) is not model.get_parameter(OUTPUT):
        raise ValueError(f"model must be tied: {INPUT} and {OUTPUT} are two Parameters")
    is_a("targets", targets, Tensor)
    # the same values under two names, which collect separate gradients in one run
    uses = {name: model.get_parameter(name).detach().clone().requires_grad_() for name in (INPUT, OUTPUT)}
    with torch.enable_grad():
        _, loss = functional_call(model, uses, (idx, targets), tie_weights=False)
        return GradientSplit(*torch.autograd.grad(loss, list(uses.values())))


def _weight(name: str, module: nn.Module) -> nn.Parameter:
    weight = getattr(module, "weight", None)
    if not isinstance(weight, nn.Parameter):
        raise TypeError(f"{name} must be a module whose weight is a Parameter, got {type(module).__name__}")
    return weight
