"""The figures in the book's prose: each is in the ledger, each entry is right, and errors are caught.

The first tests check the book against its ledger; the others show, on small test books, that errors are
found.
"""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from checked_numbers import (
    expression_functions,
    expression_values,
    markdown_sentences,
    number_ledger,
    numbers_in_prose,
    prose_pages,
)
from checked_numbers.expression_values import compute, disagreement, evaluate, evaluate_all, format_value
from checked_numbers.markdown_sentences import sentences
from checked_numbers.number_ledger import (
    ANY_PAGE,
    Entry,
    LedgerError,
    Occurrence,
    UnlistedNumber,
    load_ledger,
    match_entries,
)
from checked_numbers.numbers_in_prose import find_numbers, searchable_text
from checked_numbers.prose_pages import Page, read_book, read_page

from tests.small_books import ROOT, Book, environment

ENTRIES = load_ledger(ROOT / "book" / "figures.yml")
COMPUTED = [entry for entry in ENTRIES if entry.expression]
Matched = tuple[dict[Entry, list[Occurrence]], list[UnlistedNumber]]


@pytest.fixture(scope="module")
def book() -> list[Page]:
    return read_book(ROOT)


@pytest.fixture(scope="module")
def matched(book: list[Page]) -> Matched:
    return match_entries(ENTRIES, book)


# ---- the book ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", COMPUTED, ids=str)
def test_a_figure_is_the_value_of_its_expression(entry: Entry) -> None:
    assert not disagreement(entry, evaluate(entry))


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_a_figure_is_on_its_page(entry: Entry, book: list[Page], matched: Matched) -> None:
    assert entry.page == ANY_PAGE or entry.page in {page.stem for page in book}, (
        f"there is no page {entry.page}"
    )
    assert matched[0][entry], f"{entry} is nowhere in the prose, or only where a more specific entry applies"


def test_every_number_of_three_digits_in_prose_is_in_the_ledger(matched: Matched) -> None:
    assert not matched[1], "\n".join(map(str, matched[1]))


def test_the_ledger_has_entries_for_every_chapter(book: list[Page]) -> None:
    chapters = {page.stem for page in book if page.path.suffix == ".ipynb"}
    assert chapters
    assert chapters <= {entry.page for entry in ENTRIES}


@pytest.mark.site
def test_the_page_shows_every_figure_its_sentence_and_its_value(site: Path) -> None:
    from bs4 import BeautifulSoup

    html = (site / "book" / "figures.html").read_text(encoding="utf-8")
    cards = BeautifulSoup(html, "html.parser").select(".checked-figure")
    assert len(cards) == len(ENTRIES)
    for card in cards:
        assert card.select_one(".checked-number"), card.get_text()
        assert card.find("strong") or "From " in card.get_text(), card.get_text()


# ---- errors are found -----------------------------------------------------------------------


def write_book(folder: Path, entries: str, *, page: str = "", **notebooks: str) -> Path:
    """Write a ledger, a page `book/toy.md`, and notebooks of one Markdown cell each; return the folder."""
    for name in ("book", "notebooks"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "book" / "figures.yml").write_text(entries, encoding="utf-8")
    (folder / "book" / "toy.md").write_text(f"# A toy\n\n{page}\n", encoding="utf-8")
    for stem, markdown in notebooks.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(markdown, id="c0")])
        nbformat.write(notebook, folder / "notebooks" / f"{stem}.ipynb")
    return folder


def matches(root: Path) -> tuple[dict[str, list[int]], list[str]]:
    """Return the sentences in which each entry occurs, and the numbers without an entry."""
    occurrences, unlisted = match_entries(load_ledger(root / "book" / "figures.yml"), read_book(root))
    return {str(entry): [one.index for one in found] for entry, found in occurrences.items()}, [
        one.number.text for one in unlisted
    ]


@pytest.mark.parametrize(
    ("figure", "expression", "standard_error", "right"),
    [
        ("38,597,376", "parameter_counts(GPTConfig()).shared", "", True),
        ("38,597,377", "parameter_counts(GPTConfig()).shared", "", False),
        ("0.00408", "residual_std(12)", "", True),
        ("0.00409", "residual_std(12)", "", False),
        ("0.00407", "residual_std(12)", "", False),
        ("4.08×10⁻³", "residual_std(12)", "", True),
        ("23.7 %", "parameter_counts(GPTConfig()).share_of_untied", "", True),
        ("23.8 %", "parameter_counts(GPTConfig()).share_of_untied", "", False),
        ("23.7", "parameter_counts(GPTConfig()).share_of_untied", "", False),
        ("124 million", "parameter_counts(GPTConfig()).tied", "", True),
        ("124-million", "parameter_counts(GPTConfig()).tied", "", True),
        ("23.7 percent", "parameter_counts(GPTConfig()).share_of_untied", "", True),
        ("125M", "parameter_counts(GPTConfig()).tied", "", False),
        ("−0.25", "-1 / 4", "", True),
        ("0.25", "-1 / 4", "", False),
        ("478 to 482", "(477.6, 482.4)", "", True),
        ("478 to 482", "(477.6, 482.6)", "", False),
        ("10.98", "11.1", "0.035", True),
        ("10.98", "11.2", "0.035", False),
        ("9.81", "walk_std(100)", "std_error(walk_std(100), 768)", True),
        ("8.81", "walk_std(100)", "std_error(walk_std(100), 768)", False),
    ],
)
def test_a_wrong_figure_is_caught(figure: str, expression: str, standard_error: str, right: bool) -> None:
    entry = Entry("toy", figure, expression, standard_error)
    assert (disagreement(entry, evaluate(entry)) == "") is right


def test_a_disagreement_says_what_is_printed_and_what_it_should_be() -> None:
    entry = Entry("toy", "0.00409", "residual_std(12)")
    message = disagreement(entry, evaluate(entry))
    assert "0.00409" in message
    assert "residual_std(12) is 0.004082482905" in message


def test_an_unlisted_number_is_caught_with_its_page_and_sentence(tmp_path: Path) -> None:
    root = write_book(tmp_path, "", page="One sentence. The matrix has 38,597,376 values! Another.")
    _, unlisted = match_entries([], read_book(root))
    assert [str(one) for one in unlisted] == [
        "toy.md: 38,597,376 has no entry in the ledger: “The matrix has 38,597,376 values!”"
    ]


def test_a_stale_entry_is_caught(tmp_path: Path) -> None:
    entries = (
        "- {page: toy, figure: '0.291', expression: 0.291}\n- {page: any, figure: '768', expression: 768}"
    )
    root = write_book(tmp_path, entries, page="It is 0.292 at 768, and 0.2911.")
    assert matches(root) == ({"toy, '0.291'": [], "any, '768'": [1]}, ["0.292", "0.2911"])


@pytest.mark.parametrize(
    "text", ["23.7 %", "23.7\u202f%", "−23.7", "123.7", "23.75", "23.7 million", "1,023.7"]
)
def test_a_figure_is_found_whole_or_not_at_all(tmp_path: Path, text: str) -> None:
    root = write_book(tmp_path, "- {page: toy, figure: '23.7', expression: 23.7}", page=f"It is {text} here.")
    places, unlisted = matches(root)
    assert places == {"toy, '23.7'": []}
    assert len(unlisted) == 1


@pytest.mark.parametrize(
    "text",
    [
        "38,597,376",
        "**38,597,376**",
        "$38{,}597{,}376$",
        "$50 \\times 7 = 38{,}597{,}376$",
        "x: 38,597,376-fold",
    ],
)
def test_a_figure_is_found_in_words_and_in_maths(tmp_path: Path, text: str) -> None:
    root = write_book(tmp_path, "- {page: toy, figure: '38,597,376', expression: 1}", page=text)
    assert matches(root) == ({"toy, '38,597,376'": [1]}, [])


def test_a_figure_with_two_meanings_is_distinguished_by_its_sentence(tmp_path: Path) -> None:
    entries = """
- {page: any, figure: '0.291', expression: 1}
- {page: 01_a, figure: '0.291', expression: 2}
- {page: 01_a, figure: '0.291', where: without `scaling`, expression: 3}
"""
    texts = dict(page="At 0.291 again.")
    notebook = "First it is 0.291. Then, without `scaling`, 0.291."
    places, unlisted = matches(write_book(tmp_path, entries, **texts, **{"01_a": notebook}))
    assert list(places.values()) == [[1], [0], [1]]
    assert not unlisted


@pytest.mark.parametrize("where", ["$768 \\cdot 0.02^2$", "768 \\cdot 0.02^2 \\approx", "is $768$"])
def test_where_may_be_maths_with_or_without_its_dollars(tmp_path: Path, where: str) -> None:
    page = "It is $768 \\cdot 0.02^2 \\approx 0.307$. Or not: 0.307."
    root = write_book(
        tmp_path, f"- {{page: toy, figure: '0.307', where: '{where}', expression: 1}}", page=page
    )
    places, unlisted = matches(root)
    assert list(places.values()) == [[1]]
    assert unlisted == ["768", "0.307"]


def test_where_may_contain_the_figure_to_distinguish_two_in_one_sentence(tmp_path: Path) -> None:
    entries = """
- {page: toy, figure: '0.291', where: 0.291 at first, expression: 1}
- {page: toy, figure: '0.291', where: 0.291 at last, expression: 2}
"""
    root = write_book(tmp_path, entries, page="It is 0.291 at first and 0.291 at last.")
    places, unlisted = matches(root)
    assert list(places.values()) == [[1], [1]]
    assert not unlisted
    root = write_book(tmp_path, entries, page="It is 0.291 at first and 0.291 in between.")
    assert matches(root)[1] == ["0.291"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{page: toy, figure: 0.00408, expression: x}", "put it in quotes"),
        ("{page: toy, figure: '0.00408'}", "either an expression or a source"),
        ("{page: toy, figure: '0.00408', expression: x, source: y}", "either an expression or a source"),
        ("{page: toy, figure: '0.00408', source: ''}", "either an expression or a source"),
        ("{page: toy, figure: '0.00408', source: y, standard_error: 1}", "no expression"),
        ("{page: toy, figure: 'none', expression: x}", "contains a number"),
        ("{figure: '0.00408', expression: x}", "have a page"),
        ("{page: toy, figure: '0.00408', expresion: x}", "expresion must be one of"),
        ("just words", "must have a page"),
        (
            "{page: toy, figure: '7.5', expression: x}\n- {page: toy, figure: '7.5', expression: y}",
            "two entries",
        ),
    ],
)
def test_an_incomplete_or_contradictory_entry_is_refused(tmp_path: Path, entry: str, message: str) -> None:
    root = write_book(tmp_path, f"- {entry}\n")
    with pytest.raises(LedgerError, match=message):
        load_ledger(root / "book" / "figures.yml")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("torch.rand(()).item()", "global generator"),
        ("float('nan')", "finite"),
        ("(1, 2)", "1 finite number,"),
        ("'768'[0:0]", "could not convert"),
    ],
)
def test_an_expression_without_a_fixed_value_is_refused(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(Entry("toy", "1.25", expression))


def test_an_expression_can_use_the_package_and_nothing_else() -> None:
    assert compute(
        "GPTConfig.preset('gpt2-xl').n_embd + math.floor(np.pi) + len(residual_projections.__name__)"
    )
    assert compute("sum(residual_std(n) for n in range(1, 3))") == pytest.approx(0.02 * (2**-0.5 + 0.5))
    with pytest.raises(NameError):
        compute("no_such_name")


def test_a_number_that_the_author_chose_is_read_from_the_code_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [nbformat.v4.new_code_cell("x = f(tokens=256)", id="c0")]
    cells += [nbformat.v4.new_code_cell("f(n=1, tokens=256); g(n=2)", id="c1")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "01_toy.ipynb")
    monkeypatch.setattr(expression_functions, "NOTEBOOKS", tmp_path)
    assert expression_functions.in_code("01_toy", "tokens=") == 256
    for before in ("n=", "kens="):
        with pytest.raises(ValueError, match=f"must have one number after '{before}'"):
            expression_functions.in_code("01_toy", before)


def test_computing_figures_imports_no_transformers() -> None:
    code = (
        "import sys; from checked_numbers.expression_values import compute; compute('residual_std(12)'); "
        "print('transformers' in sys.modules)"
    )
    path = f"{ROOT / 'book' / '_ext'}:{ROOT}"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(PYTHONPATH=path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "False\n"


def test_values_are_kept_and_a_changed_expression_is_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Entry("toy", "768", "GPTConfig().n_embd"), Entry("toy", "23.7 %", "0.2367", "0.001")
    values = evaluate_all([first, second], tmp_path / "kept" / "values.json")
    computed = []

    def compute(expression: str) -> float:
        computed.append(expression)
        return 3.5

    monkeypatch.setattr(expression_values, "compute", compute)
    changed = Entry("toy", "768", "3.5")
    again = evaluate_all([first, second, changed], tmp_path / "kept" / "values.json")
    assert computed == ["3.5"]
    assert {entry: again[entry] for entry in values} == values


@pytest.mark.parametrize(
    ("figure", "value", "error", "text"),
    [
        ("38,597,376", 38597376, 0, "38,597,376"),
        ("0.00408", 0.0040824829, 0, "0.0040825"),
        ("23.7 %", 0.23673971, 0, "23.674 %"),
        ("10.98", 10.978505, 0.0351, "10.9785 ± 0.035"),
        ("−0.002", -0.00213, 0, "−0.00213"),
        ("480", 479.6123, 0, "479.61"),
        ("29 %", 0.29, 0, "29 %"),
        ("0 %", 0.0, 0, "0 %"),
        ("23.7 percent", 0.23673971, 0, "23.674 %"),
    ],
)
def test_a_value_is_shown_two_digits_further_than_the_prose(
    figure: str, value: float, error: float, text: str
) -> None:
    assert format_value(value, error, Entry("toy", figure).numbers[0]) == text


# ---- what counts as a number in prose ----------------------------------------------------------------------


def three_digits(markdown: str) -> list[str]:
    return [
        number.text
        for sentence in sentences(markdown)
        for number in find_numbers(searchable_text(sentence).masked)
        if number.significant >= number_ledger.MIN_DIGITS
    ]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("768, 1.05, 50,257, 1024 and 0.0200", ["768", "1.05", "50,257", "1024", "0.0200"]),
        ("100, 1000, 50,000, 0.02, 0.29, 12 and 2400", []),
        ("In 31.0 % of 124M, 1.56 billion or 4.08·10⁻³", ["31.0 %", "124M", "1.56 billion", "4.08·10⁻³"]),
        ("23.7 percent, and a 124-million-parameter model", ["23.7 percent", "124 million"]),
        ("a 768-dimensional row, the 50,257th, (1.25), “2.15”", ["768", "50,257", "1.25", "2.15"]),
        ("−0.291 or -0.291, but 478–482 and 478-482", ["-0.291", "-0.291", "478", "482", "478", "482"]),
        ("$\\sqrt{768}$, $x_{124}$, $\\approx 0.00408$", ["768", "124", "0.00408"]),
        ("$$\n0.02 / \\sqrt{24} \\approx 0.00408\n$$", ["0.00408"]),
        ("\\begin{align}\na &= 10.825\n\\end{align}", ["10.825"]),
        ("{math}`1.25`", ["1.25"]),
        ("| a | b |\n|---|---|\n| 1.25 | 2.15 |", ["1.25", "2.15"]),
        ("![A line that ends near 9.81](1.25.svg)", ["9.81"]),
        (
            '<details><summary>Answer 1.25</summary>\n\n2.15 <b id="777">3.25</b>\n\n</details>',
            ["1.25", "2.15", "3.25"],
        ),
        ('<img src="1.25.svg" alt="Ends at 9.81">', ["9.81"]),
        ("```{figure} 1.25.svg\n:alt: at 9.81\n:width: 768\nWith 2.15.\n```", ["9.81", "2.15"]),
        (":::{note} About 1.25\n:class: a768\nSee 2.15.\n:::", ["1.25", "2.15"]),
        ("# Of 1.25\n\n- a 2.15\n\n> 3.25", ["1.25", "2.15", "3.25"]),
    ],
)
def test_a_number_in_prose_is_seen(markdown: str, expected: list[str]) -> None:
    assert three_digits(markdown) == expected


@pytest.mark.parametrize(
    "markdown",
    [
        "`768` and ``1.25``",
        "```python\nx = 1.25\n```",
        "    indented = 1.25",
        "```{code-cell}\nx = 1.25\n```",
        "<!-- 1.25 -->",
        "<script>1.25</script>",
        '<a href="1.25" width="768">link</a>',
        "[link](https://example.org/1.25) and <https://example.org/12345>",
        "https://example.org/47458",
        "GPT-2, float32, h.10, sha256 and 2x",
        "Radford et al. (2019) and, in 2017, Press and Wolf; Inan, 2017; (2016, section 2)",
        "Published in February 2019, on 2019-02-14",
        "PyTorch 2.13, transformers 5.15 or newer, 5.0.0 to 5.14.1, v1.0.4, Python 3.11",
        "issue 47458, issues 47458, 47459 and 47460, pull request #24113, #138",
        "arXiv:1608.05859 and arXiv 1611.01462v3, doi 10.1162/089976600300015015",
        "page 157, pp. 157–163",
        "{cite}`press2017` and {ref}`fig-768`",
        "---\ntitle: 1.25\n---",
    ],
)
def test_numbers_that_are_no_figures_are_ignored(markdown: str) -> None:
    assert three_digits(markdown) == []


@pytest.mark.parametrize(
    "markdown", ["with 2048 tokens", "the 1985 rows", "all 1,950 of them", "(1600 wide)", "(2048)", "in 1024"]
)
def test_a_count_is_not_taken_for_a_year(markdown: str) -> None:
    assert len(find_numbers(searchable_text(next(sentences(markdown))).masked)) == 1


def test_alternative_texts_and_captions_of_cells_are_prose(tmp_path: Path) -> None:
    shown = {"image": {"alt": "It ends at 9.81."}, "figure": {"caption": "A walk of $768$ numbers."}}
    cell = nbformat.v4.new_code_cell("x = 1.25", id="c0", metadata={"mystnb": shown})
    path = tmp_path / "01_a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    texts = [searchable_text(sentence).text for sentence in read_page(path, tmp_path).sentences]
    assert texts == ["It ends at 9.81.", "A walk of 768 numbers."]


def test_sentences_end_where_a_reader_expects_it() -> None:
    text = "Radford et al. (2019) say 0.02. **Guess first.** What is `x`? `y` is 9.81 (so).\nSee e.g. GPT-2."
    assert [searchable_text(sentence).text for sentence in sentences(text)] == [
        "Radford et al. (2019) say 0.02.",
        "Guess first.",
        "What is x?",
        "y is 9.81 (so).",
        "See e.g. GPT-2.",
    ]


def test_two_pages_of_one_name_are_refused(tmp_path: Path) -> None:
    root = write_book(tmp_path, "", toy="# Two")
    with pytest.raises(ValueError, match="two pages are named toy"):
        read_book(root)


@pytest.mark.parametrize(
    "module",
    [expression_values, markdown_sentences, number_ledger, numbers_in_prose, prose_pages],
    ids=lambda module: module.__name__,
)
def test_the_examples_in_docstrings_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


# ---- the page ----------------------------------------------------------------------------------------------


@pytest.fixture
def toy_ledger(toy: Book) -> Book:
    """The small book with a page of checked figures."""
    with (toy.root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: book/figures\n")
    (toy.root / "book" / "intro.md").write_text(
        "# A toy\n\nA row holds $768$ numbers, in 12 layers.\n", encoding="utf-8"
    )
    (toy.root / "book" / "figures.md").write_text(
        "# Checked\n\n```{checked-figures}\n```\n", encoding="utf-8"
    )
    (toy.root / "README.md").write_text("# Read me\n", encoding="utf-8")
    return toy


def test_the_page_shows_sentence_expression_and_value_and_follows_the_prose(toy_ledger: Book) -> None:
    yml = toy_ledger.root / "book" / "figures.yml"
    yml.write_text("- {page: intro, figure: '768', expression: GPTConfig().n_embd}\n", encoding="utf-8")
    built = toy_ledger.make("book")
    assert built.returncode == 0, built.stderr
    html = toy_ledger.page("book/figures")
    assert "A row holds" in html
    assert "<strong>768</strong>" in html
    assert 'href="intro.html"' in html
    with (toy_ledger.root / "book" / "intro.md").open("a", encoding="utf-8") as page:
        page.write("\nIt was 0.29 high.\n")
    with yml.open("a", encoding="utf-8") as entries:
        entries.write("- {page: intro, figure: '0.29', source: a ruler}\n")
    built = toy_ledger.make("book")
    assert built.returncode == 0, built.stderr
    assert "From a ruler" in toy_ledger.page("book/figures")


def test_entries_that_are_wrong_fail_the_build_and_are_named(toy_ledger: Book) -> None:
    (toy_ledger.root / "book" / "figures.yml").write_text(
        """
- {page: intro, figure: '768', expression: GPTConfig().n_layer}
- {page: intro, figure: '769', expression: 769}
- {page: intro, figure: '12', expression: 1 / 0}
""",
        encoding="utf-8",
    )
    built = toy_ledger.make("book")
    assert built.returncode != 0
    assert "intro, '768': the prose says 768, but GPTConfig().n_layer is 12" in built.stderr
    assert "intro, '769': it is nowhere in the prose" in built.stderr
    assert "intro, '12': 1 / 0 cannot be computed: ZeroDivisionError" in built.stderr
