/**
 * Gives an App its handlers: a page whose view is no document sets one for each event before it connects.
 * @param {any} app
 * @returns {(name: string, params: any) => void} calls the handler of an event
 */
export function installEvents(app) {
  app.addEventListener = (/** @type {string} */ name, /** @type {(params: any) => unknown} */ handler) => {
    app[`on${name}`] = handler;
  };
  return async (name, params) => {
    try {
      await app[`on${name}`]?.(params);
    } catch (error) {
      console.error(error);
    }
  };
}
