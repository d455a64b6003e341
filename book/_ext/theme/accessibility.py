"""Names the theme's buttons, regions and dialogs for screen readers, and makes scrolling boxes focusable."""

from __future__ import annotations

from bs4 import BeautifulSoup

DIALOGS = {
    "pst-search-dialog": "Search",
    "pst-primary-sidebar-modal": "Chapters",
    "pst-secondary-sidebar-modal": "On this page",
}
ICONS = "i[class*='fa-'], span[class*='fa-'], i.fas, .search-button__kbd-shortcut"
OWN_HTML = ".cell_output .text_html:not(:has(.explore, .self-check))"
SCROLLING = f"div.math, .pst-scrollable-table-container, {OWN_HTML}"


def add_names(page: BeautifulSoup) -> None:
    """Name controls, dialogs and regions, and hide icons from screen readers."""
    for icon in page.select(ICONS):  # the control around it has the name; hidden, it is read once
        icon["aria-hidden"] = "true"
        if icon.name == "i":
            del icon["title"]
    for control in page.select("button:not([aria-label]), a.btn:not([aria-label])"):
        tooltip = control.get("title") or control.get("data-bs-title")
        if tooltip and not control.get_text(strip=True):
            control["aria-label"] = tooltip
    for summary in page.select("summary[aria-label]"):
        del summary["aria-label"]  # its text is more specific
    for name, title in DIALOGS.items():
        for dialog in page.select(f"#{name}"):
            dialog["aria-label"] = title
    for sidebar in page.select("div#pst-primary-sidebar"):  # the theme's script expects a div
        sidebar["role"] = "complementary"  # so that title and search are in a landmark
        sidebar["aria-label"] = "Book"
    for top in page.select("#pst-back-to-top"):
        if page.main:
            page.main.append(top.extract())  # in a landmark, and last in the tab order
    for box in page.select(SCROLLING):  # scrolling.js sets the edges, and undoes this if nothing is hidden
        box["tabindex"], box["data-more"] = "0", ""
    for citation in page.select(".citation-list > [role='doc-biblioentry']"):
        citation["role"] = "listitem"  # replaces the deprecated role
    for unused in page.select("#ethical-ad-placement, meta[name=viewport] ~ meta[name=viewport]"):
        unused.decompose()
