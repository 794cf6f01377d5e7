// Property names that mean something outside of this script. The build shortens every other
// property name, so a name which the script shares with anybody belongs here, by origin.
// Names of the DOM and of JavaScript itself need no entry: the minifier knows them.

/** @param {string} names */
const split = (names) => names.trim().split(/\s+/);

/** JSON Schema, draft-07 and 2020-12: read from the tool's definition. */
export const JSON_SCHEMA = split(`
  $ref $defs additionalItems additionalProperties allOf anyOf const default description enum example examples
  exclusiveMaximum exclusiveMinimum format items maxItems maxLength maxProperties maximum minItems minLength minProperties
  minimum multipleOf oneOf pattern patternProperties prefixItems properties required title type uniqueItems
`);

/** Names of types and formats, where a table has them as keys. */
export const SCHEMA_VALUES = split("array boolean integer null number object string date time email uri url uuid ipv4");

/** The kinds of fields: values of `kind`, and keys of tables. */
export const FIELD_KINDS = split("text long number boolean choice choices const date time list group map variants json");

/** MCP: tools, results, content items, resources. */
export const MCP = split(`
  _meta annotations arguments blob content data description destructiveHint inputSchema isError mimeType name
  outputSchema resource structuredContent text title tool type uri
`);

/** JSON-RPC, and the messages of MCP Apps that travel in it. */
export const JSON_RPC = split(`
  jsonrpc id method params result error code message data requestId reason
  appInfo appCapabilities protocolVersion version hostInfo hostCapabilities hostContext
  toolInfo theme styles variables css fonts locale timeZone safeAreaInsets top right bottom left
  width height url
`);

/** The App API of ext-apps and its options. */
export const APP_API = split(`
  App PostMessageTransport RpcError McpError LATEST_PROTOCOL_VERSION RESOURCE_MIME_TYPE
  applyDocumentTheme applyHostFonts applyHostStyleVariables getDocumentTheme installBlockedSubmit
  connect close start send request notification timeout addEventListener removeEventListener
  autoResize echoToolResults toolName onmessage onclose onerror onteardown oncalltool onlisttools
  ontoolinput ontoolinputpartial ontoolresult ontoolcancelled onhostcontextchanged
  getHostContext getHostCapabilities getHostVersion callServerTool setupSizeChangedNotifications
  readServerResource listServerResources sendMessage updateModelContext openLink sendOpenLink downloadFile requestDisplayMode
  requestTeardown sendLog sendSizeChanged
`);

/** What else the page's global has, and what its functions take and give. */
export const KIT = split(`
  McpGenUi kit startAdaptiveView app
  argumentsForm audio button byteSize check el image jsonIn jsonTree keyValue nameWords partsOf plural
  renderResult renderValue shorten structuredOf table textBlock
  maxDepth omitted element structured count submit peek fill setRaw focus
  limit openLink rows columns kind value text path message
`);

/** What the wrapper bakes into the page. */
export const PAGE_DATA = split("tool limits maxSchemaDepth maxOutputDisplayBytes theme notice kind text schemaOmitted");

/** Attributes that elements are made with, dataset keys, and options of Intl: DOM names which the minifier's list lacks. */
export const ATTRIBUTES = split(`
  class for role rows inputmode autocomplete autocapitalize spellcheck placeholder novalidate readonly tabindex
  onclick onchange oninput onkeydown onsubmit ontoggle onerror checked controls src alt dir open hidden field state sensitivity numeric
  ariaExpanded ariaBusy ariaDisabled ariaInvalid ariaRequired ariaSort replaceChildren toSorted toReversed hasOwn
`);

/** Names of lists that servers put rows and columns under. */
export const RESULT_SHAPES = split("columns headers fields rows data values");

export const WIRE_NAMES = [...new Set([
  JSON_SCHEMA, SCHEMA_VALUES, FIELD_KINDS, MCP, JSON_RPC, APP_API, KIT, PAGE_DATA, ATTRIBUTES, RESULT_SHAPES,
].flat())].sort();
