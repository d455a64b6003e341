"""The figures in the book's prose: the build holds each to the ledger, and finds what is wrong or missing."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from checked_numbers import expressions
from checked_numbers.ledger import Entry, check_values, format_value, load_ledger, match_entries
from checked_numbers.prose import find_numbers, sentences
from docutils import nodes
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser

from tests.small_books import ROOT, Book

CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
PARSER_SETTINGS = {"myst_enable_extensions": CONFIG["parse"]["myst_enable_extensions"], "report_level": 5}
SHARE = "parameter_counts(GPTConfig()).share_of_untied"


def parse(markdown: str) -> nodes.document:
    return publish_doctree(markdown, parser=Parser(), settings_overrides=PARSER_SETTINGS)


@pytest.mark.site
def test_the_page_shows_every_figure_of_the_ledger_in_its_sentence_with_its_value(site: Path) -> None:
    entries = load_ledger(ROOT / "book" / "figures.yml")
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} <= {entry.page for entry in entries}
    page = BeautifulSoup((site / "book" / "figures.html").read_text(encoding="utf-8"), "html.parser")
    cards = page.select(".checked-figure")
    assert len(cards) == len(entries)
    for card in cards:
        assert card.select_one(".checked-number"), card.get_text()
        assert card.find("strong") or "From " in card.get_text(), card.get_text()


def test_the_build_fails_on_wrong_missing_and_stale_figures_and_follows_the_prose(toy: Book) -> None:
    def build(**files: str) -> str:
        """Write files of the book, and return what the build complains of."""
        for name, text in files.items():
            path = "README.md" if name == "readme" else f"book/{name.replace('_', '.')}"
            (toy.root / path).write_text(text, encoding="utf-8")
        built = toy.make("book")
        return built.stderr if built.returncode else ""

    with (toy.root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: book/figures\n")
    problems = build(
        intro_md="# A toy\n\nA row holds $768$ numbers, in 12 layers.\n",
        figures_md="# Checked\n\n```{checked-figures}\n```\n",
        readme="# Read me\n\nIt has 1.25 pages.\n",
        figures_yml="- {page: intro, figure: '768', expression: GPTConfig().n_layer}\n"
        "- {page: intro, figure: '769', expression: 769}\n- {page: intro, figure: '12', expression: 1 / 0}\n",
    )
    assert "intro, '768': the prose says 768, but GPTConfig().n_layer is 12" in problems
    assert "intro, '769': it is nowhere in the prose" in problems
    assert "intro, '12': 1 / 0 cannot be computed: ZeroDivisionError" in problems
    assert "README.md: 1.25 has no entry in the ledger: “It has 1.25 pages.”" in problems

    ledger = "- {page: intro, figure: '768', expression: GPTConfig().n_embd}\n"
    assert not build(readme="# Read me\n", figures_yml=ledger)
    html = toy.page("book/figures")
    assert all(part in html for part in ("A row holds", "<strong>768</strong>", 'href="intro.html"'))

    problems = build(intro_md="# A toy\n\nA row holds $767$ numbers.\n")
    assert "intro, '768': it is nowhere in the prose" in problems
    assert "book/intro: 767 has no entry in the ledger" in problems


@pytest.mark.parametrize(
    ("figure", "expression", "standard_error", "right"),
    [
        ("38,597,376", "parameter_counts(GPTConfig()).shared", "", True),
        ("38,597,377", "parameter_counts(GPTConfig()).shared", "", False),
        ("4.08×10⁻³", "residual_std(12)", "", True),
        ("23.7 %", SHARE, "", True),
        ("23.7", SHARE, "", False),
        ("124 million", "parameter_counts(GPTConfig()).tied", "", True),
        ("125M", "parameter_counts(GPTConfig()).tied", "", False),
        ("−0.25", "-1 / 4", "", True),
        ("478 to 482", "(477.6, 482.4)", "", True),
        ("478 to 482", "(477.6, 482.6)", "", False),
        ("10.98", "11.1", "0.035", True),
        ("10.98", "11.2", "0.035", False),
    ],
)
def test_a_wrong_figure_is_caught(
    tmp_path: Path, figure: str, expression: str, standard_error: str, right: bool
) -> None:
    entry = Entry("toy", figure, expression, standard_error)
    _, problems = check_values([entry], tmp_path / "values.json", "key")
    assert (problems == []) is right


@pytest.mark.parametrize("expression", ["torch.rand(()).item()", "float('nan')", "(1, 2)", "unknown"])
def test_an_expression_without_a_fixed_value_is_refused(expression: str) -> None:
    with pytest.raises((ValueError, NameError)):
        expressions.evaluate(Entry("toy", "1.25", expression))


def test_a_number_that_the_author_chose_is_read_from_the_code_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [nbformat.v4.new_code_cell(code) for code in ("f(tokens=256)", "f(n=1, tokens=256); g(n=2)")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "01_toy.ipynb")
    monkeypatch.setattr(expressions, "NOTEBOOKS", tmp_path)
    assert expressions.in_code("01_toy", "tokens=") == 256
    with pytest.raises(ValueError, match="must have one number"):
        expressions.in_code("01_toy", "n=")


def test_values_are_kept_until_the_key_changes(tmp_path: Path) -> None:
    kept, entry = tmp_path / "values.json", Entry("toy", "768", "GPTConfig().n_embd")
    kept.write_text("{broken", encoding="utf-8")  # by a build that was killed
    assert check_values([entry], kept, "a") == ({entry: [(768.0, 0.0)]}, [])
    kept.write_text(kept.read_text(encoding="utf-8").replace("768", "769"), encoding="utf-8")
    assert len(check_values([entry], kept, "a")[1]) == 1
    assert check_values([entry], kept, "b")[1] == []


def test_a_value_is_shown_two_digits_further_than_the_prose() -> None:
    assert format_value(10.978505, 0.0351, find_numbers("10.98")[0]) == "10.9785 ± 0.035"
    assert format_value(-0.23673971, 0, find_numbers("-23.7 percent")[0]) == "−23.674 %"


@pytest.mark.parametrize("where", ["0.291 at first", "x_1 \\approx"])
def test_the_most_specific_entry_takes_a_figure_that_has_two_meanings(where: str) -> None:
    entries = [Entry("any", "0.291"), Entry("toy", "0.291"), Entry("toy", "0.291", where=where)]
    prose = "It is 0.291. Then $x_1 \\approx 0.291$. And 0.291 at first. Not 23.7, 0.2911, 0.291 %, −0.291."
    occurrences, unlisted = match_entries(entries, {"book/toy": sentences(parse(prose))})
    assert [len(occurrences[entry]) for entry in entries] == [0, 2, 1]
    assert [problem.partition(" has no entry")[0] for problem in unlisted] == [
        f"book/toy: {number}" for number in ("23.7", "0.2911", "0.291 %", "-0.291")
    ]


@pytest.mark.parametrize(
    "entry",
    [
        "{page: toy, figure: 0.00408, expression: x}",
        "{page: toy, figure: '0.00408'}",
        "{page: toy, figure: '0.00408', expression: x, source: y}",
        "{page: toy, figure: 'none', expression: x}",
        "{page: toy, figure: '0.00408', expresion: x}",
        "{page: toy, figure: '7.5', expression: x}\n- {page: toy, figure: '7.5', expression: y}",
    ],
)
def test_an_incomplete_or_contradictory_entry_is_refused(tmp_path: Path, entry: str) -> None:
    (tmp_path / "figures.yml").write_text(f"- {entry}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"must|two entries"):
        load_ledger(tmp_path / "figures.yml")


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("768, 50,257, 1024, 0.0200; 31.0 % of 124M", "768 50,257 1024 0.0200 31.0% 124M"),
        ("a 124-million-parameter model, 4.08·10⁻³, (1.25)", "124million 4.08·10⁻³ 1.25"),
        ("−0.291 or -0.292, 478–482, in 1024, the 1985 rows", "-0.291 -0.292 478 482 1024 1985"),
        (
            "$\\sqrt{768}$, $x_{124}$, $5{,}125$\n\n\\begin{align}\na &= 10.825\n\\end{align}",
            "768 124 5,125 10.825",
        ),
        ("| a | b |\n|---|---|\n| 1.25 | 2.15 |\n\n# Of 4.15\n\n- a **5.25**", "1.25 2.15 4.15 5.25"),
        ("<details><summary>1.25</summary>\n\n2.15 <b id='777'>3.25</b>\n\n</details>", "1.25 2.15 3.25"),
        ("<img src='1.25.svg' alt='At 9.81'> ![At 8.81](1.25.svg)", "9.81 8.81"),
        ("100, 1000, 50,000, 0.02, 2400; GPT-2, float32, h.10, sha256, 2x", ""),
        ("`768`\n\n```python\nx = 1.25\n```\n<!-- 1.25 --><script>1.25</script>", ""),
        ("[a](https://example.org/1.25), https://example.org/12345", ""),
        ("Radford et al. (2019), in 2017, Press and Wolf; Inan, 2017, on 2019-02-14", ""),
        ("PyTorch 2.13, 5.0.0 to 5.14.1, issues 47458 and 47460, arXiv:1608.05859, pp. 157–163", ""),
    ],
)
def test_a_number_of_three_digits_must_be_in_the_ledger_if_it_is_a_figure(
    markdown: str, expected: str
) -> None:
    _, unlisted = match_entries([], {"toy": sentences(parse(markdown))})
    stated = [problem.removeprefix("toy: ").partition(" has no entry")[0] for problem in unlisted]
    assert [number.replace(" ", "") for number in stated] == expected.split()


def test_of_an_output_only_the_text_alternative_and_the_caption_are_prose() -> None:
    figure = nodes.figure(
        "", nodes.image(alt="It ends at 9.81. A line."), nodes.caption("", "A walk of 768.")
    )
    output = nodes.container("", nodes.literal_block("", "2.15"), figure, nb_element="cell_code_output")
    output += nodes.paragraph("", "1.25")
    found = [str(sentence) for sentence in sentences(nodes.container("", output))]
    assert found == ["It ends at 9.81.", "A line.", "A walk of 768."]


def test_sentences_end_where_a_reader_expects_it() -> None:
    text = "Radford et al. (2019) say 0.02. **Guess first.** What is `x`? `y` is 9.81 (so).\nSee e.g. GPT-2."
    expected = "Radford et al. (2019) say 0.02.|Guess first.|What is x?|y is 9.81 (so).|See e.g. GPT-2."
    assert [str(sentence) for sentence in sentences(parse(text))] == expected.split("|")
