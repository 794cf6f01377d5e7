// No code of a model runs in the page, and its form asks before it calls a tool that changes things: what is sent is the page's own.
let own = "";
/** What the host calls the page's own tool. */
let atHost = "";

/** @param {any} tool the page's own */
export function limitCalls(tool) {
  own = tool.name;
}

/** The form has asked the person. */
export function confirmCall() {}

/** Learns what the host calls the page's tool. @param {any} message of the host */
export function learnName(message) {
  const name = (message?.result?.hostContext ?? message?.params)?.toolInfo?.tool?.name;
  if (typeof name === "string") atHost = name;
}

/** What the host calls the page's own tool. @param {string} name */
export function nameAtHost(name) {
  return (name === own && atHost) || name;
}

/** @param {any} message @param {(wire: any) => void} deliver */
export function admit(message, deliver) {
  if (message.params?.name === own) message.params.name = nameAtHost(own);
  deliver(message);
}
