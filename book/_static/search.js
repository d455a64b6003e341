/* Sphinx's message for no results mentions categories, which this book does not have. */
const noResults =
  "Your search did not match any documents. Please make sure that all words are spelled correctly " +
  "and that you've selected enough categories.";
Documentation.TRANSLATIONS[noResults] = "No page of this book has all of these words. Try fewer, or other ones.";

/* A page that is opened as a file cannot read others, so the results have no excerpts. */
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

/* Excerpts in search results contain only prose: no tables, no code, no lists of sections. */
const wholeText = Search.htmlToText;
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("article");
  if (main !== null) {
    main.setAttribute("role", "main"); // only the article, without the theme's elements
    page.querySelector("#main-content")?.removeAttribute("role");
    main.querySelectorAll("pre, table, figure, .only-screen, h1").forEach((element) => element.remove());
    main.querySelectorAll("dt, dd, li, p, h2, h3").forEach((block) => block.append(" ")); // otherwise words run together
    main.querySelectorAll("msqrt").forEach((root) => root.prepend("√"));
  }
  return wholeText(page.documentElement.outerHTML, anchor).replace(/\s+/g, " ");
};
