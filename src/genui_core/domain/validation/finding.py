"""The rules of the validator, its findings, and its report on a model's answer (requirement V2)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import asdict, frozen

from genui_core.domain.validation.document_plan import DocumentPlan


class Severity(StrEnum):
    """Whether a finding prevents the wrapper from serving the view."""

    WARNING = "warning"
    ERROR = "error"


class Block(StrEnum):
    """The part of a view that a finding is in."""

    STYLE = "style"
    TEMPLATE = "template"
    SCRIPT = "script"
    DOCUMENT = "document"


@frozen(kw_only=True)
class Finding:
    """One place in a view that breaks a rule.

    Attributes:
        line: The line in the block, from 1.
        column: The column in characters, from 1.
    """

    rule: str
    severity: Severity
    message: str
    block: Block
    line: int
    column: int
    excerpt: str = ""
    advice: str = ""

    def as_data(self) -> Mapping[str, object]:
        """Return the finding as JSON data, for prompts, logs and stores."""
        return asdict(self) | {"severity": str(self.severity), "block": str(self.block)}


class Ruling(StrEnum):
    """The validator's decision about a model's answer."""

    ACCEPTED = "accepted"
    REPAIRED = "repaired"
    FIXABLE = "fixable"
    """The wrapper may ask the model once to repair the view."""
    REFUSED = "refused"


@frozen(kw_only=True)
class ValidationReport:
    """The validator's report on a model's answer.

    Attributes:
        source: The view after its repairs, to serve and store, or to repair if it is fixable; "" if it is
            refused or the answer contains no view.
        broken: The block to repair, if the view is fixable; None if the answer contains no view.
        excerpt: The source of that block.
    """

    ruling: Ruling
    source: str
    findings: tuple[Finding, ...] = ()
    repairs: tuple[str, ...] = ()
    broken: Block | None = None
    excerpt: str = ""
    plan: DocumentPlan | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the wrapper may serve the view, with or without repairs."""
        return self.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED)


MAX_BYTES: Final = 512_000
"""The largest size of a view, in bytes of UTF-8."""


class Consequence(StrEnum):
    """What the wrapper does about a finding."""

    WARN = "warn"
    REPAIR = "repair"
    """Repair the view; if the finding remains, the tool keeps its minimal view."""
    ASK = "ask"
    """Ask the model once to repair the view; if the finding remains, the tool keeps its minimal view."""
    REFUSE = "refuse"


@frozen
class Rule:
    """A rule: what it finds, and what a view should do instead."""

    id: str
    consequence: Consequence
    message: str
    advice: str

    @property
    def severity(self) -> Severity:
        """A warning if the view is served in spite of a finding, or else an error."""
        return Severity.WARNING if self.consequence is Consequence.WARN else Severity.ERROR


_WARN, _REPAIR, _ASK, _REFUSE = Consequence

_ALL = (
    Rule("view.missing", _ASK, "The answer holds no view.", "Answer with the view alone."),
    Rule("view.unjudged", _REFUSE, "The validation did not finish.", "Write a simpler view."),
    Rule("patch.form", _ASK, "A search/replace block is not complete.", "Write all three marker lines."),
    Rule(
        "patch.missing",
        _ASK,
        "A change has no place: its search text is not in the view.",
        "Copy the search text from the view, letter by letter.",
    ),
    Rule(
        "patch.ambiguous",
        _ASK,
        "A change has no single place: its search text is in the view more than once.",
        "Add the text before or after it.",
    ),
    Rule("patch.overlapping", _ASK, "Two changes overlap in the view.", "Write both as one block."),
    Rule("patch.unchanged", _ASK, "The changes leave the view as it is.", "Write the changed text."),
    Rule("size.too_large", _REFUSE, "The view is larger than 512,000 bytes.", "Write a compact view."),
    Rule("markup.too_complex", _REFUSE, "The markup is too large or too deep.", "Write fewer elements."),
    Rule("script.parses", _ASK, "The script does not parse.", "Correct the syntax."),
    Rule("script.too_complex", _REFUSE, "The script builds too many texts.", "Write fewer steps."),
    Rule("script.missing", _ASK, "There is no script, or it breaks off.", "Write the whole script."),
    Rule("template.missing", _ASK, "There is no template.", "Write the template."),
    Rule("template.cut", _REPAIR, "The template is cut off.", "Close every element."),
    Rule("render.missing", _ASK, "No function render is defined.", "Define function render(data, ui)."),
    Rule("document.doctype", _REPAIR, "There is no doctype.", "Begin with <!DOCTYPE html>."),
    Rule("document.html", _REPAIR, "There is no html element.", "Write one html element."),
    Rule("document.charset", _REPAIR, "The charset is not declared.", 'Write <meta charset="utf-8">.'),
    Rule("document.viewport", _REPAIR, "The viewport is not declared.", "Write a viewport meta element."),
    Rule("document.lang", _REPAIR, "The language is not declared.", "Give the html element a lang."),
    Rule("document.title", _REPAIR, "There is no title.", "Write a title element."),
    Rule("document.policy", _REPAIR, "The document sets a policy.", "Omit the policy."),
    Rule("import.missing", _REPAIR, "App is not imported.", "Import App from the ext-apps package."),
    Rule("import.foreign", _REPAIR, "A foreign module is imported.", "Import nothing else."),
    Rule("import.dynamic", _REFUSE, "A module is loaded at run time.", "Load nothing."),
    Rule("app.missing", _ASK, "No App is made.", "Make one with new App(…)."),
    Rule("connect.missing", _REPAIR, "The app never connects.", "Call connect() at the end."),
    Rule("result.unhandled", _REPAIR, "No handler takes tool results.", "Set ontoolresult."),
    Rule("resource.external", _REFUSE, "A resource outside the page is loaded.", "Inline all resources."),
    Rule(
        "resource.decorative",
        _REPAIR,
        "A picture, font or style is outside the page.",
        "Inline all resources.",
    ),
    Rule(
        "resource.blocked",
        _WARN,
        "A script uses a picture outside the page, which the page blocks.",
        "Inline all resources.",
    ),
    Rule("link.external", _REPAIR, "A link element loads something.", "Inline all resources."),
    Rule("resource.itself", _REPAIR, "The page loads itself.", "Omit the address."),
    Rule("hint.external", _REPAIR, "A link hint preconnects.", "Omit it."),
    Rule("resource.dynamic", _WARN, "An unknown address is loaded.", "Load no resources."),
    Rule("resource.element", _REFUSE, "An element that loads content is used.", "Do without it."),
    Rule("network.call", _REFUSE, "A network API is used.", "Call tools instead."),
    Rule("webrtc", _REFUSE, "A peer connection is made.", "Call tools instead."),
    Rule("handler.inline", _REPAIR, "An attribute holds a handler.", "Use addEventListener."),
    Rule(
        "markup.handler", _ASK, "A script puts markup with handlers into the page.", "Use addEventListener."
    ),
    Rule("handler.from_script", _REFUSE, "A script sets a handler as text.", "Use addEventListener."),
    Rule("url.script", _REPAIR, "An address holds code.", "Listen for clicks instead."),
    Rule("url.script_made", _REFUSE, "A script makes an address with code.", "Use a function."),
    Rule("link.direct", _REPAIR, "A link leads out of the frame.", "Open links through the host."),
    Rule("frame.access", _REFUSE, "Another frame is accessed.", "Call the host through the kit."),
    Rule("frame.computed", _REFUSE, "The name of a global property is computed.", "Write its name."),
    Rule("navigation", _REFUSE, "The view navigates its frame.", "Open links through the host."),
    Rule("navigation.own", _REPAIR, "The page changes its address.", "Keep state in variables."),
    Rule("navigation.download", _REPAIR, "A link is clicked to save a file.", "Call ui.download."),
    Rule("code.from_text", _ASK, "Code is made from text.", "Write a plain function."),
    Rule(
        "markup.from_data",
        _ASK,
        "Data is put into the page as markup.",
        "Build elements with ui.el, or show the data with ui.table, ui.keyValue or textContent.",
    ),
    Rule("markup.from_call", _WARN, "Markup from a function is put into the page.", "Use ui.el."),
    Rule("sink.roundabout", _REFUSE, "A property of the page is set indirectly.", "Assign to it."),
    Rule("storage", _WARN, "Storage is used, which the frame lacks.", "Keep state in variables."),
    Rule("dialog", _WARN, "A dialog is opened, which the frame blocks.", "Ask in the page."),
    Rule("tool.foreign", _REFUSE, "The view calls a tool that it may not call.", "Call related tools only."),
    Rule("tool.computed", _REFUSE, "The name of a called tool is computed.", "Use a literal name."),
    Rule("label.missing", _REPAIR, "A control has no label.", "Give it a label."),
    Rule("label.unclear", _WARN, "A control has no label and no name for one.", "Give it a label."),
    Rule("input.secret", _REFUSE, "The view asks for a secret.", "Never ask for passwords."),
    Rule("hijack.nonce", _REFUSE, "The view contains the code of the prompt's fences.", ""),
    Rule("hijack.fence", _REFUSE, "The view contains a fence of the prompt.", ""),
    Rule("hijack.talk", _REFUSE, "The view mentions its instructions.", ""),
)

NOTED: Final = frozenset({"resource.decorative", "link.external", "navigation.own"})
"""Rules whose findings stay in the report as warnings after a repair removes what they found."""

RULES: Final[Mapping[str, Rule]] = {rule.id: rule for rule in _ALL}
"""Every rule by its id."""
