"""What the addresses of the book and of its repository add to pages; without them nothing is added."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup
from footer_and_notebook_link import commit_date, main_versions
from PIL import Image

from tests.small_books import Book, small_book
from tests.test_requirements import pins

HOSTS = "mybinder.org colab.research.google.com codespaces.new github.com codeberg.org".split()
INTRO, CHAPTER = "book/intro", "notebooks/01_toy"
INTRO_TEXT = "# A toy\n\nA sentence.\n\n```{launch}\nNobody knows where.\n```\n"
CHAPTER_TEXT = r"The root $\\sqrt N$ is a formula in the first paragraph of this chapter, which describes it."
URL = "https://example.org/gpt2"

Pages = dict[str, BeautifulSoup]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Return a small book outside of a repository, whose first page has the directive."""
    made = small_book(tmp_path_factory.mktemp("publishing") / "toy")
    chapter = made.notebook("print(1)")
    text = chapter.read_text(encoding="utf-8").replace("One sentence.", CHAPTER_TEXT)
    chapter.write_text(text, encoding="utf-8")
    (made.root / "book" / "intro.md").write_text(INTRO_TEXT, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def unpublished(book: Book) -> Pages:
    """Return the pages of the book without addresses."""
    book.build(BOOK_REPOSITORY="", BOOK_URL="")
    return pages(book)


@pytest.fixture(scope="module")
def published(unpublished: Pages, book: Book) -> Pages:
    """Return the pages of the book with both addresses."""
    github = "https://github.com/owner/name"
    date = "1700000000"
    book.build(BOOK_REPOSITORY=github, BOOK_BRANCH="students", BOOK_URL=URL, SOURCE_DATE_EPOCH=date)
    return pages(book)


def pages(book: Book) -> Pages:
    return {name: BeautifulSoup(book.page(name), "html.parser") for name in (INTRO, CHAPTER)}


def links(page: BeautifulSoup) -> list[str]:
    """Return the links to launch services and code hosts."""
    addresses = [str(link["href"]) for link in page.select("a[href]")]
    return [address for address in addresses if urlsplit(address).netloc in HOSTS]


def path_in_tree(link: str) -> str:
    """Return the file of the repository that a link opens, if it names one."""
    found = re.search(r"(?:lab/tree|/blob/[^/]+)/(.+)", unquote(link))
    return found[1] if found else ""


def tags(page: BeautifulSoup) -> dict[str, str]:
    """Return the meta tags and the canonical link."""
    found = {str(t.get("property") or t.get("name")): str(t["content"]) for t in page.select("meta[content]")}
    return found | {str(link["rel"][0]): str(link["href"]) for link in page.select('link[rel="canonical"]')}


def test_b5_without_an_address_there_is_no_link(unpublished: Pages) -> None:
    assert [links(page) for page in unpublished.values()] == [[], []]
    assert "Nobody knows where" in unpublished[INTRO].get_text()


def test_b5_every_link_names_a_file_on_the_published_branch(published: Pages, book: Book) -> None:
    *launch, issue = links(published[CHAPTER])
    assert [urlsplit(link).netloc for link in launch] == ["mybinder.org", "colab.research.google.com"]
    assert issue.startswith("https://github.com/owner/name/issues/")
    in_text = [link for link in links(published[INTRO]) if "/issues/" not in link]
    assert [urlsplit(link).netloc for link in in_text] == HOSTS[:3]
    for link in [*launch, *in_text]:
        assert "owner/name" in link
        assert "/students" in link
        if path := path_in_tree(link):
            assert (book.root / path).is_file(), link
    assert "Nobody knows where" not in published[INTRO].get_text()


def test_without_an_address_a_page_has_a_description_and_no_url(unpublished: Pages) -> None:
    found = tags(unpublished[CHAPTER])
    assert found["description"] == CHAPTER_TEXT.replace(r"$\\sqrt N$", "√N")
    assert not {"og:url", "og:image", "canonical"} & found.keys()


def test_with_an_address_each_page_names_it_and_a_picture_of_its_own(published: Pages, book: Book) -> None:
    pictures = set()
    for name, page in published.items():
        found = tags(page)
        assert found["og:url"] == found["canonical"] == f"{URL}/{name}.html"
        assert found["description"] == found["og:description"]
        picture = book.html / found["og:image"].removeprefix(f"{URL}/")
        with Image.open(picture) as image:
            pictures.add(image.tobytes())
    assert len(pictures) == 2


def test_a_refusal_shows_only_its_message_and_no_password(book: Book) -> None:
    built = book.make("book", env={"BOOK_URL": "https://u:se/secret@h.org/b"})
    assert built.returncode != 0
    assert "BOOK_URL is '" in built.stderr
    assert "Traceback" not in built.stdout + built.stderr
    assert "secret" not in built.stdout + built.stderr


def test_each_chapter_has_a_link_to_its_notebook(unpublished: Pages, book: Book) -> None:
    (link,) = unpublished[CHAPTER].select(".notebook-link a[download]")
    assert link["download"] == "01_toy.ipynb"
    assert (book.html / "notebooks" / str(link["href"])).is_file()
    assert unpublished[INTRO].select(".notebook-link") == []


def test_the_footer_shows_the_pinned_versions_and_a_date_if_there_is_one(
    unpublished: Pages, published: Pages, tmp_path: Path
) -> None:
    shown = dict(line.split() for line in main_versions())
    assert shown.keys() == {"Python", "PyTorch", "transformers", "gpt2_teach"}
    assert shown["PyTorch"] == pins("requirements.txt")["torch"]
    assert shown["transformers"] == pins("requirements.txt")["transformers"]
    assert unpublished[CHAPTER].select("footer time") == []
    assert [time["datetime"] for time in published[CHAPTER].select("footer time")] == ["2023-11-14"]
    assert commit_date(tmp_path) == ""


def test_b5_another_host_has_only_links_that_work_for_it(published: Pages, book: Book) -> None:
    book.build(BOOK_REPOSITORY="https://codeberg.org/owner/name", BOOK_URL="")
    wanted = "https://mybinder.org/v2/git/https%3A%2F%2Fcodeberg.org%2Fowner%2Fname/release?urlpath="
    assert [links(page) for page in pages(book).values()] == [[wanted + "lab/tree/book/intro.md"], []]
