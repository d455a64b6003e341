"""A page's description, its preview, its footer, and the link to its notebook."""

from __future__ import annotations

from pathlib import Path

import page_meta
import pytest
from bs4 import BeautifulSoup
from footer_and_notebook_link import commit_date, main_versions
from PIL import Image
from social_cards import SIZE, draw_card
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from tests.small_books import ROOT, Book, small_book
from tests.test_requirements import pins

URL = "https://example.org/gpt2"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Return a small book outside of a repository."""
    made = small_book(tmp_path_factory.mktemp("meta") / "toy")
    made.notebook("print(1)")
    return made


def tags(book: Book, page: str = "notebooks/01_toy") -> dict[str, str]:
    """Return the page's meta tags and its canonical link."""
    soup = BeautifulSoup(book.page(page), "html.parser")
    found = {
        str(tag.get("property") or tag.get("name")): str(tag["content"])
        for tag in soup.select("meta[content]")
    }
    canonical = soup.select_one('link[rel="canonical"]')
    return found | ({"canonical": str(canonical["href"])} if canonical else {})


def test_without_an_address_a_page_has_no_url_and_no_card(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    built = book.make("book", env={"BOOK_URL": ""})
    assert built.returncode == 0, built.stderr
    found = tags(book)
    assert found["twitter:card"] == "summary"
    assert found["og:title"] == "A toy chapter"
    assert found["description"] == found["og:description"]
    assert not {"og:url", "og:image", "canonical"} & found.keys()
    assert not (book.html / "_images" / "cards").exists()

    soup = BeautifulSoup(book.page(), "html.parser")
    assert soup.select("footer time") == [], "outside of a repository there is no commit date"
    link = soup.select_one(".notebook-link a")
    assert link is not None
    assert link["download"] == "01_toy.ipynb"
    assert (book.html / "notebooks" / str(link["href"])).is_file()
    assert BeautifulSoup(book.page("book/intro"), "html.parser").select(".notebook-link") == []


def test_with_an_address_each_page_names_it_and_a_picture_of_its_own(book: Book) -> None:
    built = book.make("book", env={"BOOK_URL": URL, "SOURCE_DATE_EPOCH": "1700000000"})
    assert built.returncode == 0, built.stderr
    pictures = set()
    for page in ("book/intro", "notebooks/01_toy"):
        found = tags(book, page)
        assert found["og:url"] == found["canonical"] == f"{URL}/{page}.html"
        assert found["twitter:card"] == "summary_large_image"
        picture = book.html / found["og:image"].removeprefix(f"{URL}/")
        pictures.add(picture)
        with Image.open(picture) as image:
            assert image.size == SIZE == (int(found["og:image:width"]), int(found["og:image:height"]))
    assert len(pictures) == 2
    time = BeautifulSoup(book.page(), "html.parser").select_one("footer time")
    assert time is not None
    assert time["datetime"] == "2023-11-14"


@pytest.mark.parametrize("url", ["example.org", "https://u:secret@h.org/b", "https://u:se/secret@h.org/b"])
def test_an_invalid_address_fails_by_name_and_repeats_no_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("BOOK_URL", url)
    monkeypatch.setattr(page_meta, "hide_traceback", lambda: None)
    with pytest.raises(ExtensionError, match="BOOK_URL is '") as refused:
        page_meta.set_base_url(Sphinx.__new__(Sphinx), Config())
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://localhost:8000", "https://[::1]:80/b/", "https://h.org/~u/b"])
def test_a_valid_address_is_accepted(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("BOOK_URL", url)
    config = Config()
    page_meta.set_base_url(Sphinx.__new__(Sphinx), config)
    assert config.html_baseurl == url.rstrip("/") + "/"


def test_a_card_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        draw_card(tmp_path / f"{name}.png", "Book: of tests", "A title of many words", "Why?", "tied")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_footer_shows_the_pinned_versions() -> None:
    shown = dict(line.split() for line in main_versions())
    assert shown["PyTorch"] == pins("requirements.txt")["torch"]
    assert shown["transformers"] == pins("requirements.txt")["transformers"]
    assert shown.keys() == {"Python", "PyTorch", "transformers", "gpt2_teach"}


def test_the_date_comes_from_the_environment_or_a_repository_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert commit_date(tmp_path) == "1970-01-01"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert commit_date(tmp_path) == ""


def test_readme_asks_the_questions_that_the_cards_show() -> None:
    import yaml

    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    cards = config["book_cards"]
    assert [
        page for page, card in cards.items() if "notebooks/" in page and card["question"] not in readme
    ] == []
