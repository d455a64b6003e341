"""What a model holds, by kind, as histograms and by who fills it; and the figures made of that."""

from __future__ import annotations

import pytest
from matplotlib.text import Text

from gpt2_teach import plots
from gpt2_teach.config import GPTConfig
from gpt2_teach.fill_once import visits
from gpt2_teach.histograms import layer_histograms, value_histogram
from gpt2_teach.initialization import INIT_STD, by_kind, initialization_table, residual_std
from gpt2_teach.model import GPT, build_gpt

CONFIG = GPTConfig.preset("tiny")


@pytest.fixture
def model() -> GPT:
    return build_gpt(CONFIG, generator=0)


def test_i4_two_kinds_of_n_layer_tensors_each_are_scaled(model: GPT) -> None:
    kinds = by_kind(initialization_table(model))
    scaled = [kind for kind in kinds if kind.expected == residual_std(CONFIG.n_layer)]
    assert [kind.kind for kind in scaled] == ["attn.c_proj.weight", "mlp.c_proj.weight"]
    assert sum(kind.tensors for kind in scaled) == CONFIG.n_residual


def test_the_worst_deviation_is_small_for_the_rule_and_huge_without_scaling(model: GPT) -> None:
    assert all(kind.worst < 4.5 for kind in by_kind(initialization_table(model)))
    unscaled = by_kind(initialization_table(build_gpt(CONFIG, residual_scaling=False, generator=0)))
    assert all((kind.worst > 50) == kind.kind.endswith("c_proj.weight") for kind in unscaled)


def test_a_histogram_has_the_area_of_what_lies_inside_its_edges(model: GPT) -> None:
    weight = model.transformer.h[3].mlp.c_fc.weight
    histogram = value_histogram(model, "mlp.c_fc.weight", 3, bins=30)
    area = float((histogram.density * histogram.edges.diff()).sum())
    assert area == pytest.approx((weight.abs() <= histogram.edges[-1]).float().mean().item(), abs=1e-5)
    assert histogram.measured == pytest.approx(weight.std().item())
    assert (histogram.layer, histogram.expected) == (3, INIT_STD)


def test_a_layers_histograms_hold_its_projections_and_its_other_matrices(model: GPT) -> None:
    pairs = layer_histograms(model)
    assert [residual.layer for residual, _ in pairs] == list(range(CONFIG.n_layer))
    for residual, other in pairs:
        assert residual.measured == pytest.approx(residual_std(CONFIG.n_layer), rel=0.05)
        assert other.measured == pytest.approx(INIT_STD, rel=0.05)


@pytest.mark.parametrize(
    ("kind", "layer"), [("wte.weight", 0), ("mlp.c_fc.weight", None), ("mlp.c_fc.weight", 4), ("c_fc", 0)]
)
def test_a_histogram_of_what_is_not_there_is_refused(model: GPT, kind: str, layer: int | None) -> None:
    with pytest.raises(ValueError, match="there is no parameter of kind"):
        value_histogram(model, kind, layer)


def test_a_plain_apply_meets_the_shared_matrix_twice_and_the_rest_once(model: GPT) -> None:
    met = visits(model)
    shared = met.pop("transformer.wte.weight")
    assert shared == ["transformer.wte (Embedding)", "lm_head (Linear)"]
    assert all(len(modules) == 1 for modules in met.values())
    assert len(met) + 1 == len(list(model.parameters()))
    untied = visits(build_gpt(CONFIG, tie=None, generator=0))
    assert all(len(modules) == 1 for modules in untied.values())


def test_i5_axes_speak_of_std_and_never_of_variance(model: GPT) -> None:
    figures = [
        plots.values_by_layer(layer_histograms(model)),
        plots.std_by_layer(initialization_table(model)),
    ]
    for figure in figures:
        words = " ".join(artist.get_text() for artist in figure.findobj(Text))
        assert "varian" not in words.lower()
    assert figures[1].axes[0].get_ylabel() == "std of the weights"
