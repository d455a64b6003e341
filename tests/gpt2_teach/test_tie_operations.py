"""What keeps and what breaks a tie on the pinned PyTorch, and the mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, load_model, save_file, save_model

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.tie_operations import OPERATIONS, Survival, tie_survival
from gpt2_teach.tying import inspect_tie

TINY = GPTConfig.preset("tiny")

# operation: one Parameter afterwards, same pointer, equal values
EXPECTED = {
    "built with the assignment": (True, True, True),
    "copy.deepcopy(model)": (True, True, True),
    "pickle and unpickle": (True, True, True),
    "model.to(torch.float16)": (True, True, True),
    "load_state_dict(state)": (True, True, True),
    "load_state_dict(state, assign=True)": (False, True, True),
    "load_state_dict(clones, assign=True)": (False, False, True),
    "built on meta, then to_empty": (False, False, None),  # whatever memory holds
    "wte.weight.data = lm_head.weight.data": (False, True, True),
    "that alias, then copy.deepcopy(model)": (False, False, True),
    "wte.weight = Parameter(copy)": (False, False, True),
}


def words(markdown: str) -> str:
    return markdown.replace("`", "")


@pytest.fixture(scope="module", params=["lm_head", "wte"])
def rows(request: pytest.FixtureRequest) -> dict[str, Survival]:
    """The table, for a model assigned either way round."""
    return {
        words(row.operation): row
        for row in tie_survival(lambda: build_gpt(TINY, tie=request.param, generator=0))
    }


@pytest.mark.parametrize("operation", list(EXPECTED))
def test_t5_each_operation_keeps_or_breaks_the_tie_as_the_table_says(
    rows: dict[str, Survival], operation: str
) -> None:
    one_parameter, same_pointer, equal = EXPECTED[operation]
    assert list(rows) == [words(operation) for operation in OPERATIONS]
    after = rows[operation].after
    assert (after.same_parameter, after.same_pointer) == (one_parameter, same_pointer)
    if equal is not None:
        assert after.equal == equal
    assert (after.parameters_saved > 0) == one_parameter
    assert (after.bytes_saved > 0) == same_pointer


@pytest.mark.parametrize("operation", list(EXPECTED))
def test_t5_one_assignment_restores_it(rows: dict[str, Survival], operation: str) -> None:
    assert rows[operation].retied.same_parameter


def test_an_untied_model_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^build must return a model whose wte and lm_head share"):
        tie_survival(lambda: build_gpt(TINY, tie=None))


def test_t4_a_plain_save_of_shared_memory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="share memory"):
        save_file(GPT(TINY).state_dict(), tmp_path / "model.safetensors")


def test_t4_a_file_without_the_head_fails_to_load_as_a_plain_dict_and_loads_as_a_model(
    tmp_path: Path,
) -> None:
    model, file = build_gpt(TINY, generator=0), tmp_path / "model.safetensors"
    save_model(model, str(file))
    state = load_file(file)
    assert len({"lm_head.weight", "transformer.wte.weight"} & set(state)) == 1
    with pytest.raises(RuntimeError, match="Missing key"):
        GPT(TINY).load_state_dict(state)
    loaded: Any = build_gpt(TINY, generator=1)
    load_model(loaded, file)
    assert inspect_tie(loaded.transformer.wte, loaded.lm_head).same_parameter
    assert torch.equal(loaded.lm_head.weight, model.lm_head.weight)
