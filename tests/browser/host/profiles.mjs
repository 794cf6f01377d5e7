// How hosts deliver a view, and under which policy: what the tests call profiles.

const SCRIPTS = "allow-scripts allow-same-origin";
const FORMS = `${SCRIPTS} allow-forms`;

/** The policy of MCP Apps for a resource that asks for nothing. */
const DEFAULT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join("; ");

/** The strictest one seen: not even images from data. */
const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'none'",
  "font-src 'none'",
  "media-src 'none'",
  "connect-src 'none'",
  "form-action 'none'",
  "worker-src 'none'",
  "object-src 'none'",
].join("; ");

/**
 * @typedef {object} Profile
 * @property {"write" | "srcdoc" | "url"} delivery how the document gets into the inner frame
 * @property {string} policy the Content-Security-Policy of the view
 * @property {"header" | "meta" | "wrapped"} policyBy the sandbox page's or the view's header; a meta
 *   element after `<head>`; or a document of the host's own around the view's
 * @property {string} sandbox flags of the inner frame
 * @property {boolean} [replacedParent] `window.parent` is not the real one
 * @property {boolean} [eager] the tool input is sent without waiting for the view
 */

/** Of a host that leaves frames to the view's own policy. */
const POLICY_WITH_FRAMES = DEFAULT_POLICY.replace("frame-src 'none'", "frame-src *");

/** @type {Record<string, Profile>} */
export const PROFILES = {
  spec: { delivery: "write", policy: DEFAULT_POLICY, policyBy: "header", sandbox: FORMS },
  opaque: {
    delivery: "srcdoc",
    policy: STRICT_POLICY,
    policyBy: "wrapped",
    sandbox: "allow-scripts allow-forms",
  },
  noforms: { delivery: "write", policy: DEFAULT_POLICY, policyBy: "header", sandbox: SCRIPTS },
  vscode: {
    delivery: "write",
    policy: DEFAULT_POLICY,
    policyBy: "meta",
    sandbox: FORMS,
    replacedParent: true,
    eager: true,
  },
  url: { delivery: "url", policy: DEFAULT_POLICY, policyBy: "header", sandbox: FORMS },
  bare: { delivery: "srcdoc", policy: "", policyBy: "header", sandbox: FORMS },
  frames: { delivery: "write", policy: POLICY_WITH_FRAMES, policyBy: "header", sandbox: FORMS },
};
