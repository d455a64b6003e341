"""Links to Binder, Colab and Codespaces: correct if the address is known, absent otherwise."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.small_books import Book, small_book

HOSTS = {
    "mybinder.org",
    "colab.research.google.com",
    "codespaces.new",
    "github.com",
    "gitlab.com",
    "codeberg.org",
}
PAGES = ("book/intro", "notebooks/01_toy")
INTRO = "# A toy\n\nA sentence.\n\n```{launch}\nNobody knows where.\n```\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Return a small book outside of a repository, whose first page has the directive."""
    made = small_book(tmp_path_factory.mktemp("launch") / "toy")
    made.notebook("print(1)")
    (made.root / "book" / "intro.md").write_text(INTRO, encoding="utf-8")
    return made


def links(book: Book, repository: str, branch: str = "") -> dict[str, list[str]]:
    """Build the book with an address; return the links of each page to launch services and code hosts."""
    built = book.make("book", env={"BOOK_REPOSITORY": repository, "BOOK_BRANCH": branch})
    assert built.returncode == 0, built.stderr[-2000:]
    found = {}
    for page in PAGES:
        addresses = [str(a["href"]) for a in BeautifulSoup(book.page(page), "html.parser").select("a[href]")]
        found[page] = [address for address in addresses if urlsplit(address).netloc in HOSTS]
    return found


def path_in_tree(link: str) -> str:
    """Return the file of the repository that a link opens, if it names one."""
    parts = urlsplit(link)
    opened = parse_qs(parts.query).get("urlpath", [""])[0].removeprefix("lab/tree/")
    blob = re.search(r"/blob/[^/]+/(.*)", parts.path)
    return blob.group(1) if blob else opened


def test_b5_every_link_names_a_file_that_exists_on_the_published_branch(book: Book) -> None:
    found = links(book, "https://github.com/owner/name", branch="students")
    page = found["notebooks/01_toy"]
    assert [urlsplit(link).netloc for link in page] == [
        "mybinder.org",
        "colab.research.google.com",
        "github.com",
    ]
    assert {urlsplit(link).netloc for link in found["book/intro"]} == {
        "mybinder.org",
        "colab.research.google.com",
        "codespaces.new",
        "github.com",
    }
    for link in [*page, *found["book/intro"]]:
        if "/issues/" in link:
            continue
        assert "owner/name" in link
        assert "/students" in link, link
        if path := path_in_tree(link):
            assert (book.root / path).is_file(), link
    assert "Nobody knows where" not in book.page("book/intro")


def test_b5_other_hosts_have_only_links_that_work_for_them(book: Book) -> None:
    found = links(book, "https://codeberg.org/owner/name")
    wanted = "https://mybinder.org/v2/git/https%3A%2F%2Fcodeberg.org%2Fowner%2Fname/release?urlpath="
    assert found == {"book/intro": [wanted + "lab/tree/book/intro.md"], "notebooks/01_toy": []}
    found = links(book, "https://gitlab.com/owner/name")
    assert "https://mybinder.org/v2/gl/owner%2Fname/release?" in found["notebooks/01_toy"][0]


def test_b5_without_an_address_there_is_no_link(book: Book) -> None:
    assert links(book, "") == {page: [] for page in PAGES}
    assert "Nobody knows where" in book.page("book/intro")


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("BOOK_REPOSITORY", "owner/name", "BOOK_REPOSITORY is 'owner/name'; it must"),
        ("BOOK_BRANCH", "HEAD", "BOOK_BRANCH is 'HEAD'; it must"),
        ("BOOK_URL", "https://user:secret@example.org/", "BOOK_URL is 'https://…@example.org/'; it must"),
    ],
)
def test_a_refusal_shows_only_its_message(book: Book, variable: str, value: str, message: str) -> None:
    marker = book.root / "_build" / ".unfinished"
    existed = marker.exists()
    built = book.make("book", env={variable: value})
    assert built.returncode != 0
    assert message in built.stderr
    assert len(built.stderr.splitlines()) <= 16  # the message, Jupyter Book's frame, and make's last line
    assert "Traceback" not in built.stdout + built.stderr
    assert "secret" not in built.stdout + built.stderr
    assert marker.exists() == existed  # otherwise all pages would be read again
