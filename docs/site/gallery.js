// The host of the live views in the gallery: it shows a recorded call to each view, and answers the view's own calls
// from the recordings. No server is needed.

/** Tallest height of a view, in CSS pixels. */
const TALLEST = 900;

const METHOD_NOT_FOUND = -32601;

const theme = () => (document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");

/** The site's own background, so that a view has no edge. */
const styles = () => ({
  variables: {
    "--color-background-primary": getComputedStyle(document.body)
      .getPropertyValue("--md-default-bg-color")
      .trim(),
  },
});

/** A value without the members that say nothing, and with sorted keys: two calls are the same if this is. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .sort()
      .map(([key, each]) => [key, plain(each)]),
  );
}

/** The arguments of a call with the defaults of its tool in place. */
function complete(tool, given) {
  const properties = Object.entries(tool.inputSchema.properties ?? {});
  const defaults = properties
    .filter(([, schema]) => schema.default !== undefined)
    .map(([name, schema]) => [name, schema.default]);
  return JSON.stringify(plain({ ...Object.fromEntries(defaults), ...given }));
}

/** The recorded result of a call, or an error that lists the recorded calls. */
function recorded({ tool, calls }, name, given) {
  const known = calls.filter((call) => call.tool === name);
  const same = (call) =>
    name === tool.name ? complete(tool, call.arguments) === complete(tool, given) : true;
  const found = known.find(same);
  if (found) return found.response.result;
  const list = known.map((call) => JSON.stringify(call.arguments)).join("\n");
  return {
    isError: true,
    content: [
      {
        type: "text",
        text: `This page has no server, and no recorded answer to this call. It has answers to:\n${list}`,
      },
    ],
  };
}

/** Shows one view, and talks to it. */
function show(figure) {
  const frame = figure.querySelector("iframe");
  const data = JSON.parse(figure.querySelector("script").textContent);
  const [first] = data.calls;
  const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params) => post({ method: `ui/notifications/${method}`, params });

  const answers = {
    "ui/initialize": ({ protocolVersion }) => ({
      protocolVersion,
      hostInfo: { name: "gallery", version: "1" },
      hostCapabilities: { serverTools: {}, openLinks: {} },
      hostContext: {
        toolInfo: { tool: data.tool },
        theme: theme(),
        styles: styles(),
        displayMode: "inline",
        locale: "en",
        platform: "web",
      },
    }),
    "tools/call": ({ name, arguments: given = {} }) => recorded(data, name, given),
    "ui/open-link": ({ url }) => {
      if (/^https?:/.test(url)) open(url, "_blank", "noopener");
      return {};
    },
    ping: () => ({}),
  };
  const notices = {
    "ui/notifications/initialized": () => {
      if (!data.showsCall) return;
      notify("tool-input", { arguments: first.arguments });
      notify("tool-result", first.response.result);
    },
    "ui/notifications/size-changed": ({ height }) => {
      if (height) frame.style.blockSize = `${Math.min(height, TALLEST)}px`;
    },
  };

  addEventListener("message", ({ source, data: message }) => {
    if (source !== frame.contentWindow || message?.jsonrpc !== "2.0" || !message.method) return;
    const { id, method, params = {} } = message;
    if (id === undefined) return notices[method]?.(params);
    if (answers[method]) post({ id, result: answers[method](params) });
    else post({ id, error: { code: METHOD_NOT_FOUND, message: `The gallery does not support ${method}` } });
  });
  new MutationObserver(() => notify("host-context-changed", { theme: theme(), styles: styles() })).observe(
    document.body,
    { attributeFilter: ["data-md-color-scheme"] },
  );
  frame.src = frame.dataset.src; // only now, when somebody listens
}

document.querySelectorAll(".live-view").forEach(show);
