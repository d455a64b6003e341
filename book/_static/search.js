/* Where nothing is found Sphinx speaks of categories, which this book has none of. */
const nothing =
  "Your search did not match any documents. Please make sure that all words are spelled correctly " +
  "and that you've selected enough categories.";
Documentation.TRANSLATIONS[nothing] = "No page of this book has all of these words. Try fewer, or other ones.";

/* Opened as a file, no page may read another, so there are titles and no excerpts. */
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

/* Excerpts on the page of search results are made of prose: no tables, no code, no lists of sections. */

const wholeText = Search.htmlToText;
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("article");
  if (main !== null) {
    main.setAttribute("role", "main"); // only the text, without what the theme has around it
    page.querySelector("#main-content")?.removeAttribute("role");
    main.querySelectorAll("pre, table, figure, .only-screen, h1").forEach((element) => element.remove());
    main.querySelectorAll("dt, dd, li, p, h2, h3").forEach((block) => block.append(" ")); // or words run together
    main.querySelectorAll("msqrt").forEach((root) => root.prepend("√"));
  }
  return wholeText(page.documentElement.outerHTML, anchor).replace(/\s+/g, " ");
};
