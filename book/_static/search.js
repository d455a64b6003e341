/* Excerpts on the page of search results are made of prose: no tables, no code, no lists of sections. */
const wholeText = Search.htmlToText;
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("article");
  if (main !== null) {
    main.setAttribute("role", "main"); // only the text, without what the theme has around it
    page.querySelector("#main-content")?.removeAttribute("role");
    main.querySelectorAll("pre, table, figure, .only-screen, h1").forEach((element) => element.remove());
    main.querySelectorAll("msqrt").forEach((root) => root.prepend("√"));
  }
  return wholeText(page.documentElement.outerHTML, anchor).replace(/\s+/g, " ");
};
