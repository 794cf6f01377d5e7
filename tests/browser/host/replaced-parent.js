// One host gives its views a parent that is no window: messages go through it, and messages of the
// real parent look as if they came from it.
(() => {
  const realParent = window.parent;
  const listen = window.addEventListener;
  const parent = new Proxy(
    {},
    {
      get: (_, name) =>
        name === "postMessage" ? (message) => realParent.postMessage(message, "*") : undefined,
    },
  );
  const disguised = (event) =>
    new Proxy(event, {
      get: (target, name) => (name === "source" ? window.parent : Reflect.get(target, name, target)),
    });
  Object.defineProperty(window, "parent", { value: parent, configurable: true, writable: true });
  window.addEventListener = function addEventListener(type, handler, ...options) {
    const heard =
      type !== "message"
        ? handler
        : (event) => handler(event.source === realParent ? disguised(event) : event);
    return listen.call(window, type, heard, ...options);
  };
})();
