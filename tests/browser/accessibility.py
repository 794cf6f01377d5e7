"""Checks a view with axe-core."""

from pathlib import Path

AXE = Path(__file__).parent / "host" / "node_modules" / "axe-core" / "axe.min.js"
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core about colours: the only ones whose results depend on the theme."""
RUN_AXE = """async (only) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) });
  return violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 200)).join(" | ")}`);
}"""


def barriers(view):
    """Return the violations that axe-core finds in a view: all rules in light, the colour rules in dark."""
    view.frame.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    for theme, rules in (("light", None), ("dark", COLOURS)):
        view.context(theme=theme)
        view.ask("ping")
        found += [f"{theme}: {one}" for one in view.frame.evaluate(RUN_AXE, rules)]
    return found
