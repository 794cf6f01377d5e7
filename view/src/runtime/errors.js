/** A JSON-RPC error: one that the host answered with, or one of our own. */
export class RpcError extends Error {
  /**
   * @param {number} code JSON-RPC error code
   * @param {string} message
   * @param {unknown} [data]
   */
  constructor(code, message, data) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}
