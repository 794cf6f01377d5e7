// Kinds of hosts: what each does to a view that others do not. Their policies are the server's part.

const SPEC_SANDBOX = "allow-scripts allow-same-origin allow-forms";
const ALL = {
  openLinks: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} },
};
const { serverResources: _resources, logging: _logging, ...WITHOUT_RESOURCES } = ALL;

/**
 * Per kind: its `label`, what is special about it in `words`, the `sandbox` of the view's own frame, whether its
 * origin is `opaque`, the `capabilities` it tells views of, the display `modes` it has, the families of style
 * variables it sends (null for all), the keys of the context that it leaves out, and its `habits`:
 * `eagerInput` sends the input before the view has said that it is ready, `standInParent` gives the view another
 * parent than the real one, `textOnly` takes structured content out of results, `forgets` gives a view that is
 * mounted again an empty result.
 */
export const PROFILES = Object.freeze({
  spec: {
    label: "Specification",
    words: "What MCP Apps asks of every host, and no more.",
    sandbox: SPEC_SANDBOX,
    capabilities: ALL,
    modes: ["inline"],
    styles: null,
    leavesOut: [],
    habits: [],
  },
  strict: {
    label: "Strict",
    words:
      "An opaque origin, no forms, no pictures, no style variables, no structured content, no announced capability.",
    sandbox: "allow-scripts",
    opaque: true,
    capabilities: {},
    modes: ["inline"],
    styles: [],
    leavesOut: [
      "toolInfo",
      "styles",
      "locale",
      "timeZone",
      "availableDisplayModes",
      "deviceCapabilities",
      "safeAreaInsets",
    ],
    habits: ["textOnly"],
  },
  claude: {
    label: "Claude-like",
    words: "A fixed policy that takes no notice of declared domains; inline and full screen.",
    sandbox: SPEC_SANDBOX,
    capabilities: ALL,
    modes: ["inline", "fullscreen"],
    styles: null,
    leavesOut: [],
    habits: [],
  },
  vscode: {
    label: "VS Code-like",
    words: "A stand-in for the parent window, the input sent early, colours and fonts only.",
    sandbox: SPEC_SANDBOX,
    capabilities: ALL,
    modes: ["inline"],
    styles: ["--color-", "--font-sans", "--font-mono"],
    leavesOut: ["safeAreaInsets"],
    habits: ["eagerInput", "standInParent"],
  },
  chatgpt: {
    label: "ChatGPT-like",
    words: "No style variables; inline, full screen and picture in picture; a reload brings an empty result.",
    sandbox: SPEC_SANDBOX,
    capabilities: WITHOUT_RESOURCES,
    modes: ["inline", "fullscreen", "pip"],
    styles: [],
    leavesOut: ["styles"],
    habits: ["forgets"],
  },
});

/** Whether a kind of host has a habit. */
export function has(profile, habit) {
  return profile.habits.includes(habit);
}
