"""Names the theme's buttons, regions and dialogs for those who do not see them."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

DIALOGS = {
    "pst-search-dialog": "Search",
    "pst-primary-sidebar-modal": "Chapters",
    "pst-secondary-sidebar-modal": "On this page",
}
ICONS = "i[class*='fa-'], span[class*='fa-'], i.fas, .search-button__kbd-shortcut"
OWN_HTML = ".cell_output .text_html:not(:has(.explore, .self-check))"
SCROLLING = f"div.math, .pst-scrollable-table-container, {OWN_HTML}"


def label(element: Tag) -> None:
    """Say aloud what a control without words says as it is pointed at."""
    said = element.get("title") or element.get("data-bs-title")
    if said and not element.get("aria-label") and not element.get_text(strip=True):
        element["aria-label"] = said


def mend(page: BeautifulSoup) -> None:
    """Mend one page."""
    for icon in page.select(ICONS):  # the control around it has the name, and says it once
        icon["aria-hidden"] = "true"
        if icon.name == "i":
            del icon["title"]
    for control in page.select("button, a.btn"):
        label(control)
    for summary in page.select("summary[aria-label]"):
        del summary["aria-label"]  # its words say better what it shows
    for name, said in DIALOGS.items():
        if dialog := page.find(id=name):
            dialog["aria-label"] = said
    if sidebar := page.find("div", id="pst-primary-sidebar"):
        sidebar["role"] = (
            "complementary"  # a landmark around title and search; the theme's script wants a div
        )
        sidebar["aria-label"] = "Book"
    top, main = page.find(id="pst-back-to-top"), page.find("main")
    if top and main:
        main.append(top.extract())  # in a landmark, and last: whoever tabs is not offered it first
    for empty in page.select("#ethical-ad-placement"):
        empty.decompose()
    for box in page.select(SCROLLING):  # scrolling.js says at which edges, and lets go where all is in sight
        box["tabindex"], box["data-more"] = "0", ""
    for citation in page.select(".citation-list > [role='doc-biblioentry']"):
        citation["role"] = "listitem"  # what took the place of that role
    viewports = page.find_all("meta", attrs={"name": "viewport"})
    for repeated in viewports[1:]:
        repeated.decompose()
