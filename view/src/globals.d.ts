/** What the scripts of one page leave for each other. */
declare namespace globalThis {
  /** Starts what a page has for the chat around it. */
  var McpGenUiChat: any;
  /** The parts of the kit that only some views use, by name. */
  var McpGenUiParts: any;
}
