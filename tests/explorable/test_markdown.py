"""Source and tables, as notebooks show them: in Markdown."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from markdown_it import MarkdownIt

from explorable.markdown import Markdown, show_source, show_table
from gpt2_teach.model import MLP


def code(shown: Markdown) -> str:
    """What stands between the fences."""
    first, *lines, last = shown.text.split("\n")
    assert (first, last) == ("```python", "```")
    return "\n".join(lines)


def table(shown: Markdown) -> str:
    """The HTML that a notebook would make of it."""
    html = MarkdownIt("commonmark").enable("table").render(shown._repr_markdown_())
    assert isinstance(html, str)
    return html


def test_what_is_shown_is_the_source_that_runs_without_its_docstring() -> None:
    shown = code(show_source(MLP))
    assert shown.startswith("class MLP(nn.Module):\n\n    def __init__")
    assert '"""' not in shown
    kept = [line.strip() for line in shown.splitlines() if line.strip()]
    source = [line.strip() for line in inspect.getsource(MLP).splitlines()]
    assert all(line in source for line in kept)
    assert len(kept) == len([line for line in source if line]) - 1  # the docstring's one line


@pytest.mark.parametrize("thing", [len, int, 3, "GPT"])
def test_what_has_no_python_source_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError):
        show_source(thing)


def test_rows_become_a_table_with_yes_and_no() -> None:
    html = table(
        show_table([["deepcopy", True, "38,597,376"], ["assign", False, "0"]], ["how", "tied", "saved"])
    )
    assert html.count("<tr>") == 3
    assert html.count("<th ") == 3
    assert ">yes</td>" in html
    assert ">no</td>" in html
    assert ">38,597,376</td>" in html


def test_numbers_stand_right_as_they_were_formatted_and_words_left() -> None:
    html = table(show_table([["wte", "0.0200", "1e-3"], ["h.10", "-0.5", "−2"]], ["name", "std", "signed"]))
    assert html.count('style="text-align:left"') == 3
    assert html.count('style="text-align:right"') == 6
    assert ">0.0200</td>" in html  # not 0.02: the author's digits are kept
    assert ">1e-3</td>" in html


def test_a_minus_is_as_wide_as_a_plus_among_numbers_and_stays_a_hyphen_in_code_and_names() -> None:
    rows = [["-0.5 ± 0.1", "-m", "-1", "1e-3"], ["+0.5 ± 0.1", "-2", "dim", "-2e-3"]]
    html = table(show_table(rows, ["off", "option", "argument", "std"]))
    assert ">\N{MINUS SIGN}0.5" in html
    assert ">+0.5" in html
    assert ">\N{MINUS SIGN}2e-3</td>" in html
    for kept in ("-m", "-2", "-1", "1e-3"):
        assert f">{kept}</td>" in html


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^rows must have a cell for each of 2 columns, got \['a'\]$"):
        show_table([["a", "b"], ["a"]], ["x", "y"])


def test_a_bar_or_a_line_break_stays_inside_its_cell() -> None:
    table = str(show_table([["a|b", "c\nd"]], ["x", "y"]))
    assert table.splitlines()[-1].split() == ["|", "a\\|b", "|", "c", "d", "|"]


def test_no_line_ends_within_a_measured_value_of_a_table() -> None:
    cells = table(show_table([["10.96 ± 0.04", "31.0 %"]], ["loss", "share"]))
    assert "10.96\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.04" in cells
    assert "31.0\N{NO-BREAK SPACE}%" in cells
