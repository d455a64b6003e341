"""Tests of `load_gpt2`: the real GPT-2, the labelled stand-in, and errors for whatever is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from gpt2_teach.checkpoint.download import find_checkpoint
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.load import LoadedGPT2, load_gpt2
from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION, NAME_VARIABLE
from tests.gpt2_teach.checkpoint.fake_hub import NOWHERE, Fault, environment
from tests.gpt2_teach.checkpoint.gpt2_files import SHAPES, TINY, gpt2, tensors, write

Serve = Callable[..., Any]


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> LoadedGPT2:
    """Return the result of `load_gpt2()` without a network and with an empty cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(NAME_VARIABLE, raising=False)
        patch.delenv("GPT2_TEACH_REQUIRE_REAL", raising=False)
        for name, value in environment(NOWHERE, tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        return load_gpt2()


@pytest.fixture
def small_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    small = transformers.GPT2Config(**TINY)
    monkeypatch.setattr(transformers, "GPT2Config", lambda: small)


# ---- the stand-in


def test_b4_without_a_network_there_is_a_full_size_stand_in_that_says_so(stand_in: LoadedGPT2) -> None:
    model = stand_in.model
    assert stand_in.is_stand_in
    assert sum(p.numel() for p in model.parameters()) == 124_439_808
    assert {p.dtype for p in model.parameters()} == {torch.float32}
    assert model.lm_head.weight is model.transformer.wte.weight
    assert not model.training
    assert NOWHERE in stand_in.reason
    for words in (str(stand_in), repr(stand_in), stand_in._repr_markdown_().replace("`", "")):
        assert "This is a stand-in, not the trained GPT-2." in words
        assert stand_in.reason.replace("`", "") in words
        assert NAME_VARIABLE in words
    assert not set("*>`") & set(str(stand_in))
    assert all(line.startswith(">") for line in stand_in._repr_markdown_().splitlines())


def test_the_stand_in_depends_only_on_its_seed_and_leaves_the_global_generator_alone(
    small_stand_in: None,
) -> None:
    before = torch.get_rng_state()
    seeds = (None, 0, torch.Generator().manual_seed(0), 1)
    first, *same, other = (load_gpt2(generator=seed).model.transformer.wte.weight for seed in seeds)
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(first, weight) for weight in same)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("fault", ["429", "nonsense"])
def test_b4_a_hub_that_does_not_work_leads_to_a_stand_in(
    serve: Serve, small_stand_in: None, fault: Fault
) -> None:
    with serve(fault):
        assert load_gpt2().is_stand_in


@pytest.mark.parametrize("load", [load_gpt2, find_checkpoint])
def test_a_build_for_publishing_refuses_a_stand_in(
    monkeypatch: pytest.MonkeyPatch, load: Callable[[], Any]
) -> None:
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    with pytest.raises(RuntimeError, match="GPT2_TEACH_REQUIRE_REAL"):
        load()


def test_b4_a_page_shows_the_note_and_no_noise() -> None:
    code = """
import sys, torch
from gpt2_teach.checkpoint.load import load_gpt2
import gpt2_teach.checkpoint.convert_weights
assert not {"transformers", "huggingface_hub", "safetensors"} & set(sys.modules)
loaded, idx = load_gpt2(), torch.arange(8)[None]
print(loaded._repr_markdown_())
loaded.model(idx, labels=idx)
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("> **This is a stand-in, not the trained GPT-2.**")
    assert ran.stderr == ""


# ---- the real one


def test_the_default_is_downloaded_at_its_pinned_revision_and_named(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    monkeypatch.setenv(NAME_VARIABLE, "")  # the same as not set
    with serve():
        loaded = load_gpt2()
    assert not loaded.is_stand_in
    assert loaded.reason == ""
    assert f"OpenAI's {DEFAULT_NAME}" in str(loaded)
    assert DEFAULT_REVISION in str(loaded)
    assert load_gpt2().source == loaded.source  # from the cache, with no Hub


def test_another_name_is_taken_at_main_or_at_the_revision_that_is_given(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as hub:
        monkeypatch.setenv(NAME_VARIABLE, "/no/such/folder")
        assert "`someone/gpt2`" in load_gpt2("someone/gpt2").source
        assert "/main/" in hub.requests[0]
        hub.requests.clear()
        monkeypatch.setenv(NAME_VARIABLE, "someone/gpt2")
        assert not load_gpt2(revision="v2").is_stand_in
        assert "/v2/" in hub.requests[0]
        with pytest.raises(CheckpointError, match="no-such-branch"):
            load_gpt2(revision="no-such-branch")


@pytest.mark.parametrize("shape", SHAPES)
def test_a_folder_is_loaded_in_every_shape_in_silence(
    tmp_path: Path, shape: str, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers.utils import logging

    settings = logging.get_verbosity(), logging.is_progress_bar_enabled()
    model, state = gpt2(**TINY), torch.get_rng_state()
    loaded = load_gpt2(write(model, tmp_path / "folder", shape))
    assert capfd.readouterr() == ("", "")
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == settings
    assert torch.equal(torch.get_rng_state(), state)
    assert str(tmp_path / "folder") in str(loaded)
    assert loaded.model.lm_head.weight is loaded.model.transformer.wte.weight
    assert not loaded.is_stand_in
    assert not loaded.model.training
    idx = torch.arange(32)[None]
    with torch.no_grad():
        assert torch.equal(loaded.model(idx).logits, model(idx).logits)


def test_tensors_of_another_head_are_reported(tmp_path: Path) -> None:
    folder = write(gpt2(**TINY), tmp_path)
    more = {**tensors(gpt2(**TINY), "head only"), "score.weight": torch.ones(2)}
    save_file(more, folder / "model.safetensors")
    with pytest.warns(UserWarning, match=r"score\.weight"):
        load_gpt2(folder)


# ---- wrong names and folders are errors and never lead to a stand-in


@pytest.mark.parametrize(
    "name",
    ["/no/such/folder", "~/nowhere", "~nobody/gpt2", "a" * 300, "", Path("gpt2"), Path(__file__), __file__],
)
def test_a_path_that_is_not_a_folder_is_an_error_that_names_the_argument(name: str | Path) -> None:
    with pytest.raises(CheckpointError, match=r"^name="):
        load_gpt2(name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"name": 3}, "name"), ({"generator": 1.5}, "generator"), ({"revision": "v"}, "revision")],
)
def test_other_arguments_are_refused_by_name(tiny: Path, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, CheckpointError), match=words):
        load_gpt2(**{"name": tiny, **arguments})


def cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def without_a_tensor(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["transformer.h.1.mlp.c_fc.weight"]
    save_file(weights, folder / "model.safetensors")


def changed(**fields: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | fields))

    return change


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / "config.json").unlink(), "config.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json"),
        (changed(model_type="bert"), "bert"),
        (without_weights, "model.safetensors"),
        (cut, "transformers"),
        (without_a_tensor, "h.1.mlp.c_fc.weight"),
        (changed(vocab_size=1000), "wte.weight"),
        (changed(n_layer="two"), "n_layer"),
        (changed(tie_word_embeddings=False), "lm_head.weight"),
    ],
)
def test_a_broken_folder_is_an_error_that_says_what_is_wrong(
    tiny: Path, tmp_path: Path, spoil: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny, folder)
    spoil(folder)
    with pytest.raises(CheckpointError, match=str(folder)) as caught:
        load_gpt2(folder)
    assert words in str(caught.value)


def test_a_folder_whose_head_differs_from_its_embedding_is_an_error(tmp_path: Path) -> None:
    folder = write(gpt2(**TINY, tie_word_embeddings=False), tmp_path)
    with pytest.raises(CheckpointError, match="two matrices"):
        load_gpt2(folder)
