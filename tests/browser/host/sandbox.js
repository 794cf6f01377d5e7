// The sandbox page between host and view: puts the document into the inner frame the way the
// profile says, and passes messages on.

const { profile, hostOrigin, parentScript } = JSON.parse(document.getElementById("settings").textContent);
const frame = document.createElement("iframe");
frame.title = "View";
frame.style.cssText = "position: absolute; inline-size: 100%; block-size: 100%";
frame.setAttribute("sandbox", profile.sandbox);
document.body.append(frame);

/** @param {string} html what the server sent @returns {string} what the host makes of it */
function prepared(html) {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${profile.policy}">`;
  if (profile.policyBy === "wrapped")
    return `<!DOCTYPE html><html><head>${policy}</head><body>${html}</body></html>`;
  const first =
    (profile.policyBy === "meta" ? policy : "") + (parentScript && `<script>${parentScript}</script>`);
  return html.replace("<head>", () => `<head>${first}`);
}

/** @type {Record<string, (html: string) => unknown>} */
const deliver = {
  write(html) {
    const inner = frame.contentDocument;
    inner.open();
    inner.write(html);
    inner.close();
  },
  srcdoc(html) {
    frame.srcdoc = html;
  },
  async url(html) {
    const answer = await fetch("/documents", { method: "POST", body: html });
    frame.src = await answer.text();
  },
};

/** Show a resource; what the outer frame may use, the inner one may too. @param {{ html: string, permissions?: object }} resource */
function show({ html, permissions = {} }) {
  const features = Object.keys(permissions).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  if (features.length) frame.setAttribute("allow", features.join("; "));
  deliver[profile.delivery](prepared(html));
}

addEventListener("message", (event) => {
  if (event.source === parent && event.origin === hostOrigin) {
    if (event.data?.method === "ui/notifications/sandbox-resource-ready") show(event.data.params);
    else frame.contentWindow.postMessage(event.data, "*");
  } else if (event.source === frame.contentWindow) {
    parent.postMessage(event.data, hostOrigin);
  }
});

parent.postMessage(
  { jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} },
  hostOrigin,
);
