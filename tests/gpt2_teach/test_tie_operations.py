"""What preserves and what breaks a tie or an alias on the pinned PyTorch, and re-tying."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, load_model, save_file, save_model

from gpt2_teach.config import GPTConfig
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.tie_operations import tie_survival
from gpt2_teach.tying import inspect_tie

TINY = GPTConfig.preset("tiny")

# operation: of a tied model, one Parameter and one memory afterwards; of an alias, one memory
EXPECTED = {
    "none (as built)": (True, True, True),
    "copy.deepcopy(model)": (True, True, False),
    "pickle and unpickle": (True, True, False),
    "model.to(torch.float16)": (True, True, False),
    "model.double()": (True, True, False),
    "load_state_dict(state)": (True, True, True),
    "load_state_dict(state, assign=True)": (False, True, True),
    "load_state_dict(clones, assign=True)": (False, False, False),
    "built on meta, then to_empty": (False, False, False),
}


def test_t5_each_operation_keeps_or_breaks_a_tie_as_the_table_says() -> None:
    rows = tie_survival(TINY)
    found = {
        row.operation.replace("`", ""): (
            row.tied.same_parameter,
            row.tied.same_storage,
            row.alias.same_storage,
        )
        for row in rows
    }
    assert found == EXPECTED
    assert not any(row.alias.same_parameter for row in rows)


def test_t5_one_assignment_restores_a_broken_tie() -> None:
    model: Any = build_gpt(TINY, generator=0)
    state = {name: values.clone() for name, values in model.state_dict().items()}
    model.load_state_dict(state, assign=True)
    assert not inspect_tie(model.transformer.wte, model.lm_head).same_storage
    model.transformer.wte.weight = model.lm_head.weight
    assert inspect_tie(model.transformer.wte, model.lm_head).same_parameter


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
