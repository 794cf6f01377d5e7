/** Runs before the guard: it takes the nonce by which the policy admits one more script, and which no view may find. Import it first. */
import { getter, descriptor, uncurried, element } from "../runtime/native.js";

const append = uncurried(Node.prototype.appendChild);
const remove = uncurried(Element.prototype.remove);
const write = uncurried(descriptor(Node.prototype, "textContent")?.set);
const { get, set } = descriptor(HTMLElement.prototype, "nonce") ?? {};
const own = document.currentScript;
const nonce = own && get ? uncurried(get)(own) : "";
/** The parts that only some views use, by name: the kit reads this at its start, and a part may add to it. @type {any} */
export const added = (globalThis.McpGenUiParts ??= {});

const headOf = getter(Document.prototype, "head");

/** Which parts of the policy a script could read the nonce from. */
const SCRIPTS = /(^|;)\s*(default|script)-src[^;]*/gi;

/**
 * Takes the nonce out of the page. The policy stays in force: a browser never takes one back. What is left of its text says
 * which pictures may be shown, and adds no limit.
 */
export function hideNonce() {
  if (!nonce) return;
  own?.removeAttribute("nonce");
  if (own && set) uncurried(set)(own, "");
  for (const meta of document.querySelectorAll("meta[http-equiv=content-security-policy i]")) {
    const { content } = /** @type {HTMLMetaElement} */ (meta);
    if (!content.includes(nonce)) continue;
    if (meta.parentNode === document.head)
      /** @type {HTMLMetaElement} */ (meta).content = content.replace(SCRIPTS, "");
    else meta.remove();
  }
}

/** Runs a script of the wrapper, at once. @param {string} text */
export function runScript(text) {
  const script = element(document, "script");
  write(script, text);
  if (nonce && set) uncurried(set)(script, nonce);
  append(headOf(document), script);
  remove(script);
  Object.assign(added, globalThis.McpGenUiParts);
}
