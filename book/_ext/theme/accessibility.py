"""Names the theme's buttons, regions and dialogs for screen readers, and makes scrolling boxes focusable."""

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
    """Use the tooltip of a control without text as its accessible name."""
    tooltip = element.get("title") or element.get("data-bs-title")
    if tooltip and not element.get("aria-label") and not element.get_text(strip=True):
        element["aria-label"] = tooltip


def add_names(page: BeautifulSoup) -> None:
    """Name controls, dialogs and regions, and hide icons from screen readers."""
    for icon in page.select(ICONS):  # the control around it has the name; hidden, it is read once
        icon["aria-hidden"] = "true"
        if icon.name == "i":
            del icon["title"]
    for control in page.select("button, a.btn"):
        label(control)
    for summary in page.select("summary[aria-label]"):
        del summary["aria-label"]  # its text is more specific
    for name, title in DIALOGS.items():
        if dialog := page.find(id=name):
            dialog["aria-label"] = title
    if sidebar := page.find("div", id="pst-primary-sidebar"):  # the theme's script expects a div
        sidebar["role"] = "complementary"  # so that title and search are in a landmark
        sidebar["aria-label"] = "Book"
    top, main = page.find(id="pst-back-to-top"), page.find("main")
    if top and main:
        main.append(top.extract())  # in a landmark, and last in the tab order
    for empty in page.select("#ethical-ad-placement"):
        empty.decompose()
    for box in page.select(SCROLLING):  # scrolling.js sets the edges, and undoes this if nothing is hidden
        box["tabindex"], box["data-more"] = "0", ""
    for citation in page.select(".citation-list > [role='doc-biblioentry']"):
        citation["role"] = "listitem"  # replaces the deprecated role
    viewports = page.find_all("meta", attrs={"name": "viewport"})
    for repeated in viewports[1:]:
        repeated.decompose()
