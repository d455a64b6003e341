"""Source and tables, as notebooks show them: in Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt

from explorable import show_source, show_table
from gpt2_teach import plots
from gpt2_teach.model import GPT
from gpt2_teach.stream import predict_stream
from gpt2_teach.walk import random_walk


def code(thing: Any, **options: bool) -> str:
    """What stands between the fences."""
    first, *lines, last = show_source(thing, **options)._repr_markdown_().split("\n")
    assert (first, last) == ("```python", "```")
    return "\n".join(lines)


def table(rows: list[list[Any]], columns: list[str]) -> str:
    """The HTML that a notebook makes of a table."""
    return str(MarkdownIt("commonmark").enable("table").render(show_table(rows, columns)._repr_markdown_()))


def test_a_method_is_shown_from_its_margin_with_its_comments_and_still_compiles() -> None:
    shown = code(GPT.__init__)
    assert "\ndef __init__(" in shown
    assert "# init params" in shown
    compile(shown, "shown", "exec")


def test_docstrings_come_when_wanted_and_decorators_always() -> None:
    assert '"""' not in code(random_walk)
    assert code(random_walk, docstring=True) == inspect.getsource(random_walk).rstrip()
    assert code(plots.walk_fans).startswith("@in_book_style\ndef walk_fans(")


@pytest.mark.parametrize("thing", [GPT.__init__, GPT._init_weights, GPT.forward, random_walk, predict_stream])
def test_what_a_chapter_shows_is_the_idea_and_not_its_checks(thing: Callable[..., Any]) -> None:
    assert not re.search(r"\b(is_a|one_of|positive_int|number_between|token_ids|raise)\b", code(thing))
    assert max(map(len, code(thing).splitlines())) <= 86  # what is seen beside the sidebars of a laptop


@pytest.mark.parametrize("thing", [len, 3])
def test_what_has_no_python_source_is_refused(thing: Any) -> None:
    with pytest.raises(TypeError):
        show_source(thing)


def test_rows_become_a_table_with_yes_and_no() -> None:
    html = table([["deepcopy", True, "38,597,376"], ["assign", False, "0"]], ["how", "tied", "saved"])
    assert html.count("<tr>") == 3
    assert all(f">{cell}</td>" in html for cell in ("yes", "no", "38,597,376"))
    assert table([], ["name", "std"]).count("<th>") == 2


def test_numbers_stand_right_as_they_were_formatted_and_words_left() -> None:
    html = table([["wte", "0.0200", "1e-3"], ["h.10", "-0.5", "−2"]], ["name", "std", "signed"])
    assert html.count('style="text-align:left"') == 3
    assert html.count('style="text-align:right"') == 6
    assert ">0.0200</td>" in html  # not 0.02: the author's digits are kept


def test_a_minus_is_as_wide_as_a_plus_among_numbers_and_stays_a_hyphen_in_code_and_names() -> None:
    rows = [["-0.5", "-m", "-1", "1e-3"], ["+0.5", "-2", "dim", "-2e-3"]]
    html = table(rows, ["off", "option", "argument", "std"])
    for kept in ("−0.5", "+0.5", "−2e-3", "-m", "-2", "-1", "1e-3"):
        assert f">{kept}</td>" in html


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="rows"):
        show_table([["a", "b"], ["a"]], ["x", "y"])


def test_a_cell_keeps_its_bar_and_its_line_break_and_is_not_broken_before_a_unit() -> None:
    html = table([["a|b", "c\nd", "10.96 ± 0.04", "31.0 %"]], ["x", "y", "loss", "share"])
    for cell in ("a|b", "c d", "10.96\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.04", "31.0\N{NO-BREAK SPACE}%"):
        assert f">{cell}</td>" in html
