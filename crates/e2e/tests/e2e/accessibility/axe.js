// The violations that axe-core finds, one line for each element, and whether the page is wider than the screen.
const [areColoursOnly] = arguments;
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
return axe.run(document, {
  // The rules with the tag "cat.color" that are enabled.
  runOnly: areColoursOnly ? ["color-contrast", "link-in-text-block"] : [...wcag, "best-practice"],
  resultTypes: ["violations"],
  preload: false, // there are no stylesheets of other origins
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary.replace(/\s+/g, " ")}`)))
  .then((found) => document.documentElement.scrollWidth > innerWidth ? [...found, "wider than the screen"] : found);
