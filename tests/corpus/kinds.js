// Evaluated inside a view with a result: says as what the result is shown.
(() => {
  const region = document.querySelector("section[aria-label=Result], [role=region][aria-label=Result]");
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const seen = (selector) =>
    [...region.querySelectorAll(selector)].filter((one) => isSeen(one) && !one.closest("[role=toolbar]"));
  const KINDS = {
    error: "[role=alert]",
    table: "table",
    chart: "figure svg, svg[role=img], svg.chart",
    card: "dl",
    picture: "img, canvas",
    player: "audio, video",
    code: "pre code, pre.code",
    words: "strong, em, h4, h5, h6, blockquote, ol",
    list: "ul",
    tree: "details",
  };
  const inAlert = (one) => !!one.closest("[role=alert]");
  const kinds = Object.keys(KINDS).filter((kind) =>
    seen(KINDS[kind]).some((one) => kind === "error" || !inAlert(one)),
  );

  /** A JSON object or list of some size that stands in words, and not as code. */
  function holdsJson(text) {
    for (let start = text.search(/[[{]/), tries = 0; start >= 0 && tries < 20; tries++) {
      const closing = text[start] === "{" ? "}" : "]";
      for (
        let end = text.lastIndexOf(closing), cuts = 0;
        end > start + 12 && cuts < 20;
        end = text.lastIndexOf(closing, end - 1), cuts++
      ) {
        try {
          JSON.parse(text.slice(start, end + 1));
          return true;
        } catch {
          /* a shorter piece may parse */
        }
      }
      const next = text.slice(start + 1).search(/[[{]/);
      start = next < 0 ? -1 : start + 1 + next;
    }
    return false;
  }
  const blocks = seen("p, pre, dd, td, li, div").filter(
    (one) =>
      !one.closest("code, .code") &&
      !one.querySelector("p, pre, div, dl, table, ul, ol, code, svg, canvas, details"),
  );
  const json = blocks.map((one) => one.textContent).filter(holdsJson);
  const words = blocks.some((one) => one.textContent.trim());
  return {
    kinds: kinds.length || !words ? kinds : ["text"],
    json: json.map((one) => one.slice(0, 200)),
    state: region.dataset.state ?? "",
    text: region.innerText.slice(0, 400),
  };
})();
