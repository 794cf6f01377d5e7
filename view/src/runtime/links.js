/**
 * Links in a view leave the frame through the host, or not at all: the frame itself never goes anywhere.
 * @param {(url: string) => unknown} openLink
 */
export function installLinks(openLink) {
  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    const url = /** @type {string} */ (link.getAttribute("href"));
    if (/^(https?|mailto):/i.test(url)) openLink(url);
  });
}
