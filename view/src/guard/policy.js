const POLICY = "meta[http-equiv=content-security-policy i]";

/**
 * Puts the page's policy into the head if a host moved it out of there: browsers ignore a policy in a body.
 * A policy that is repeated changes nothing.
 */
export function keepPolicy() {
  for (const meta of document.querySelectorAll(POLICY)) {
    if (meta.parentNode !== document.head) document.head.append(meta.cloneNode());
  }
}
