// Reading a UI resource.

import { rpcWithProgress } from "./api.js";
import { VIEW_TYPE } from "./tools.js";

/** Read `address`: its HTML and what it declares. A resource that is not a view is an Error. `onProgress` gets reports. */
export async function readView(address, signal, onProgress = () => {}) {
  const { contents } = await rpcWithProgress("resources/read", { uri: address }, signal, onProgress);
  const content = contents?.[0];
  if (!content) throw new Error("The resource is empty.");
  if (content.mimeType !== VIEW_TYPE) {
    throw new Error(`The resource is ${content.mimeType ?? "of no declared type"}; a view is ${VIEW_TYPE}.`);
  }
  const html = content.text ?? (content.blob && decoded(content.blob));
  if (!html) throw new Error("The resource has no text.");
  const { csp, permissions, prefersBorder } = content._meta?.ui ?? {};
  return { html, csp: declares(csp) ? csp : undefined, permissions, prefersBorder };
}

function decoded(base64) {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

function declares(csp) {
  return Object.values(csp ?? {}).some((domains) => Array.isArray(domains) && domains.length > 0);
}
