"""Tests of `load_gpt2`: the real GPT-2, the labelled stand-in, and errors for wrong names."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from gpt2_teach.checkpoint import hub_timeouts
from gpt2_teach.checkpoint import stand_in as stand_in_module
from gpt2_teach.checkpoint.errors import CheckpointError
from gpt2_teach.checkpoint.load import LoadedGPT2, load_gpt2
from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION
from gpt2_teach.initialization import initialization_table, residual_projections, residual_std
from tests.gpt2_teach.checkpoint.fake_hub import Fault, environment, fake_hub, variables_of_this_machine
from tests.gpt2_teach.checkpoint.gpt2_files import SHAPES, TINY, gpt2, tensors, write

NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny GPT-2."""
    return write(gpt2(**TINY), tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up an empty cache and no Hub; a test may start one."""
    for name in variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> LoadedGPT2:
    """Return the result of `load_gpt2()` without a network and with an empty cache."""
    with pytest.MonkeyPatch.context() as patch:
        for name in variables_of_this_machine():
            patch.delenv(name)
        for name, value in environment(NOWHERE, tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        return load_gpt2()


# ---- the stand-in


def test_b4_without_a_network_there_is_a_full_size_stand_in(stand_in: LoadedGPT2) -> None:
    model = stand_in.model
    assert stand_in.is_stand_in
    assert sum(p.numel() for p in model.parameters()) == 124_439_808
    assert {p.dtype for p in model.parameters()} == {torch.float32}
    assert model.lm_head.weight is model.transformer.wte.weight
    assert not model.training


def test_b4_the_stand_in_shows_what_it_is_what_is_missing_and_how_to_get_it(stand_in: LoadedGPT2) -> None:
    assert stand_in.reason == f"`{DEFAULT_NAME}`: the connection to {NOWHERE} failed (Connection refused)"
    for words in (str(stand_in), repr(stand_in), stand_in._repr_markdown_().replace("`", "")):
        assert "This is a stand-in, not the trained GPT-2." in words
        assert "the connection to http://127.0.0.1:9 failed" in words
        assert "It shows nothing that was learned" in words
        assert "connect to the network and run this again" in words
        assert "set the environment variable GPT2_TEACH_CHECKPOINT to a folder" in words
    assert not set("*>`") & set(str(stand_in))
    assert all(line.startswith(">") for line in stand_in._repr_markdown_().splitlines())


def test_i1_the_pinned_transformers_scales_the_residual_projections(stand_in: LoadedGPT2) -> None:
    projections = residual_projections(stand_in.model)
    assert len(projections) == 24
    for name, weight in projections.items():
        assert float(weight.detach().std()) == pytest.approx(residual_std(12), rel=0.05), name


def test_i1_every_other_tensor_of_transformers_starts_as_expected(stand_in: LoadedGPT2) -> None:
    for row in initialization_table(stand_in.model):
        assert row.measured == pytest.approx(row.expected, rel=0.05), row.name


def test_the_stand_in_is_the_same_for_the_same_seed_and_leaves_the_global_generator_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import transformers

    small = transformers.GPT2Config(**TINY)
    monkeypatch.setattr(transformers, "GPT2Config", lambda: small)
    before = torch.get_rng_state()
    first, same = (load_gpt2(generator=seed).model.transformer.wte.weight for seed in (None, 0))
    torch.rand(1)
    moved = torch.get_rng_state()
    again = load_gpt2(generator=torch.Generator().manual_seed(0)).model.transformer.wte.weight
    assert torch.equal(torch.get_rng_state(), moved)
    assert not torch.equal(moved, before)
    assert torch.equal(first, same)
    assert torch.equal(first, again)
    assert not torch.equal(first, load_gpt2(generator=1).model.transformer.wte.weight)


def test_b4_a_hub_that_never_answers_leads_to_a_stand_in_within_15_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build_times = []

    def build(generator: torch.Generator) -> torch.nn.Module:
        build_times.append(time.monotonic())
        return torch.nn.Module()

    monkeypatch.setattr(stand_in_module, "random_gpt2", build)
    with fake_hub({}, "never answers") as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        loaded = load_gpt2()
    assert "the Hub did not answer within 8 s" in str(loaded)
    assert build_times[0] - server.silent_since < 13  # the requirement, so a clock; building takes 1 or 2


def test_b4_a_page_shows_the_note_and_no_noise() -> None:
    code = """
import torch
from gpt2_teach.checkpoint.load import load_gpt2
loaded, idx = load_gpt2(), torch.arange(8)[None]
print(loaded._repr_markdown_())
loaded.model(idx, labels=idx)
"""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("> **This is a stand-in, not the trained GPT-2.**")
    assert ran.stderr == ""


@pytest.mark.parametrize("fault", ["429", "503", "nonsense", "damaged", "half then silence"])
def test_b4_a_hub_that_does_not_work_leads_to_a_stand_in(
    tiny: Path, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_timeouts, "SILENCE_SECONDS", 1.5)
    monkeypatch.setattr(stand_in_module, "random_gpt2", lambda generator: torch.nn.Module())  # tested above
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: tiny}}, fault) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        loaded = load_gpt2()
    assert loaded.is_stand_in
    assert server.endpoint in loaded.reason or "sent no data" in loaded.reason


def test_a_build_for_publishing_refuses_a_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_in_module, "random_gpt2", lambda generator: torch.nn.Module())
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "0")
    assert load_gpt2().is_stand_in
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    with pytest.raises(
        RuntimeError,
        match=r"openai-comm.*refused.*GPT2_TEACH_REQUIRE_REAL is set, so a stand-in is not allowed",
    ):
        load_gpt2()


# ---- the real one


def test_the_default_is_downloaded_at_its_pinned_revision_and_named(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", "")  # the same as not set
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: tiny}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        loaded = load_gpt2()
    assert not loaded.is_stand_in
    assert loaded.reason == ""
    assert str(loaded) == (
        "These are trained weights, loaded from OpenAI's openai-community/gpt2 on the Hugging Face Hub "
        "at revision 607a30d783dfa663caf39e06633721c8d4cfcd7e."
    )
    assert load_gpt2().source == loaded.source  # from the cache, with no Hub


def test_another_name_is_taken_at_main_or_at_the_revision_that_is_given(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_hub({"someone/gpt2": {"main": tiny, "v2": tiny}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        assert "`someone/gpt2`" in load_gpt2("someone/gpt2").source
        assert "/main/" in server.requests[0]
        server.requests.clear()
        monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", "someone/gpt2")
        assert not load_gpt2(revision="v2").is_stand_in
        assert "/v2/" in server.requests[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_folder_is_loaded_in_every_shape(tmp_path: Path, shape: str) -> None:
    model = gpt2(**TINY)
    loaded = load_gpt2(write(model, tmp_path / "folder", shape))
    assert not loaded.is_stand_in
    assert str(tmp_path / "folder") in str(loaded)
    assert loaded.model.lm_head.weight is loaded.model.transformer.wte.weight
    assert not loaded.model.training
    idx = torch.arange(32)[None]
    with torch.no_grad():
        assert torch.equal(loaded.model(idx).logits, model(idx).logits)


def test_the_argument_takes_precedence_over_the_variable(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", "/no/such/folder")
    assert not load_gpt2(str(tiny)).is_stand_in
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(tiny))
    assert str(tiny) in load_gpt2().source


def test_half_precision_is_loaded_as_float32(tmp_path: Path) -> None:
    write(gpt2(**TINY).half(), tmp_path)
    assert {p.dtype for p in load_gpt2(tmp_path).model.parameters()} == {torch.float32}


def test_nothing_is_printed_but_a_real_warning_is_given(
    tiny: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    load_gpt2(tiny)
    assert capfd.readouterr() == ("", "")
    model = gpt2(**TINY)
    from safetensors.torch import save_file

    shutil.copytree(tiny, tmp_path / "more")
    save_file(
        {**tensors(model, "head only"), "score.weight": torch.ones(2)}, tmp_path / "more/model.safetensors"
    )
    with pytest.warns(UserWarning, match=r"unused tensors of the checkpoint: score\.weight"):
        load_gpt2(tmp_path / "more")


def test_the_verbosity_of_transformers_is_restored(tiny: Path) -> None:
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    load_gpt2(tiny)
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_importing_it_imports_neither_transformers_nor_huggingface_hub() -> None:
    code = (
        "import sys, gpt2_teach.checkpoint.load, gpt2_teach.checkpoint.convert_weights; "
        "assert not {'transformers', 'huggingface_hub', 'safetensors'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- wrong names and folders are errors and never lead to a stand-in


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("./nowhere", "name='./nowhere': the folder does not exist"),
        ("/no/such/folder", "name='/no/such/folder': the folder does not exist"),
        ("~/no-such-folder", "name='~/no-such-folder': the folder does not exist"),
        ("a/b/c", "name='a/b/c': the folder does not exist"),
        ("models/", "name='models/': the folder does not exist"),
        (r"C:\models", "the folder does not exist"),
        (Path("gpt2"), "name='gpt2': the folder does not exist"),
        (Path(__file__), "this is a file, not a folder"),
        ("", "name='': .*not a valid name on the Hub"),
    ],
)
def test_a_path_that_does_not_exist_is_an_error(name: str | Path, words: str) -> None:
    with pytest.raises(CheckpointError, match=words.replace("\\", r"\\")):
        load_gpt2(name)


def test_the_error_names_the_variable_if_it_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", "/no/such/folder")
    with pytest.raises(CheckpointError, match="GPT2_TEACH_CHECKPOINT='/no/such/folder': the folder does not"):
        load_gpt2()


def test_b4_a_name_that_does_not_exist_is_an_error_and_no_stand_in(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: tiny}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        with pytest.raises(CheckpointError, match="name='no/such-model': no/such-model does not exist on"):
            load_gpt2("no/such-model")
        with pytest.raises(CheckpointError, match="has no revision 'no-such-branch'"):
            load_gpt2(revision="no-such-branch")


def cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])


def without_weights(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def without_a_tensor(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

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
        (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json cannot be read"),
        (changed(model_type="bert"), "is not a GPT-2: its config.json has model_type 'bert'"),
        (without_weights, "has no model.safetensors"),
        (cut, "transformers cannot load it"),
        (without_a_tensor, r"lacks transformer\.h\.1\.mlp\.c_fc\.weight"),
        (changed(vocab_size=1000), "transformers cannot load it"),
        (changed(n_layer="two"), "transformers cannot load it"),
        (changed(tie_word_embeddings=False), "lacks lm_head.weight"),
    ],
)
def test_a_folder_that_is_broken_is_an_error(
    tiny: Path, tmp_path: Path, spoil: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(tiny, folder)
    spoil(folder)
    with pytest.raises(CheckpointError, match=f"(?s)name='.*broken': .*{words}"):
        load_gpt2(folder)


def test_a_folder_whose_head_differs_from_its_embedding_is_an_error(tmp_path: Path) -> None:
    folder = write(gpt2(**TINY, tie_word_embeddings=False), tmp_path)
    with pytest.raises(CheckpointError, match="its embedding and its head are two matrices"):
        load_gpt2(folder)


def test_a_revision_of_a_folder_and_names_of_other_types_are_refused(tiny: Path) -> None:
    with pytest.raises(CheckpointError, match=r"revision must be None if name is a folder .*got 'main'"):
        load_gpt2(tiny, revision="main")
    with pytest.raises(TypeError, match="name must be a folder or a name on the Hub, got 3"):
        load_gpt2(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="generator must be"):
        load_gpt2(tiny, generator=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["~nobody-of-this-name/gpt2", "a" * 300])
def test_names_that_no_folder_can_have_are_errors_that_name_the_argument(name: str) -> None:
    with pytest.raises(CheckpointError, match=r"^name="):
        load_gpt2(name)


def test_b3_the_download_process_finds_this_package_where_none_is_installed() -> None:
    found = subprocess.run(
        [sys.executable, "-S", "-c", "import gpt2_teach, sys; sys.stdout.write(gpt2_teach.__file__)"],
        env={"PYTHONPATH": hub_timeouts.python_path()[0]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout).parent == Path(hub_timeouts.__file__).parents[1]
