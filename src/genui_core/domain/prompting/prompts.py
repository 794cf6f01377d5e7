"""The prompts themselves: templates, rendered with facts, within the limit (SPEC §4)."""

from collections.abc import Iterable, Mapping

from attrs import field, frozen

from genui_core.domain.logging.redaction import without_secrets
from genui_core.domain.prompting.cut_json import compact
from genui_core.domain.prompting.facts import Facts, wishes_json
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.validation.finding import Finding, ValidationReport

BYTES_A_TOKEN = 3
"""An estimate on the safe side for every script (SPEC §11)."""


@frozen
class Prompt:
    """What a model is told: who it is, and what it is to do now."""

    system: str
    text: str


@frozen(kw_only=True)
class AnswerForm:
    """How the answer to a refinement must look.

    Attributes:
        by_patch: Whether it may be search/replace blocks; else it is the whole view.
        unplaced: The findings on the blocks of the last answer, where they could not be applied.
        after_no_view: Whether the last answer held neither blocks nor a view.
    """

    by_patch: bool = False
    unplaced: tuple[Finding, ...] = ()
    after_no_view: bool = False


@frozen
class PromptWriter:
    """Writes the prompts of one generation.

    Args:
        prompts: The templates.
        max_tokens: ``limits.maxPromptTokens``; holds for the user's part without the present source.
        document: Whether views are whole documents.
        nonce: Closes the fences of this one generation.
        secrets: What no prompt may hold, as `ordered_secrets` returns it.
    """

    _prompts: PromptSet
    _max_tokens: int
    _document: bool
    _nonce: str
    _secrets: tuple[str, ...] = field(default=(), repr=False)

    def classify(self, facts: Facts) -> Prompt:
        """Ask for one word about the tool."""
        return Prompt("", self._within_limit("classify", facts, {}))

    def write(self, facts: Facts, *, after_no_view: bool = False) -> Prompt:
        """Ask for a view; say so if the last answer held none."""
        template = "document" if self._document else "generate"
        return self._with_system(self._within_limit(template, facts, {"afterNoView": after_no_view}))

    def refine(self, facts: Facts, source: str, form: AnswerForm) -> Prompt:
        """Ask to change the present view by the newest refinement."""
        more = {
            "source": source,
            "patch": form.by_patch,
            "afterNoView": form.after_no_view,
            "unplacedJson": _findings_json(form.unplaced),
        }
        return self._with_system(self._within_limit("refine", facts, more))

    def repair(self, report: ValidationReport) -> Prompt:
        """Return the prompt to correct the one block that the validator refused."""
        variables = {
            "blockName": str(report.broken),
            "findingsJson": _findings_json(each for each in report.findings if each.block is report.broken),
            "source": report.excerpt,
        }
        return self._with_system(self._rendered("repair", variables))

    def _with_system(self, text: str) -> Prompt:
        return Prompt(self._rendered("system", {}), text)

    def _within_limit(self, template: str, facts: Facts, more: Mapping[str, object]) -> str:
        facts = facts.without_secrets(self._secrets)
        while True:
            text = self._rendered(template, {**_variables(template, facts), **more})
            own = len(text.encode()) - len(str(more.get("source", "")).encode())
            less = facts.with_less()
            if own <= self._max_tokens * BYTES_A_TOKEN or less is None:
                return text
            facts = less

    def _rendered(self, template: str, variables: Mapping[str, object]) -> str:
        import chevron  # noqa: PLC0415 -- not before a model is asked

        data = {**without_secrets(variables, self._secrets), "nonce": self._nonce, "document": self._document}
        rendered: str = chevron.render(self._prompts.templates[template], data, partials_path=None)
        return rendered


def _findings_json(findings: Iterable[Finding]) -> str:
    """Return findings as a JSON list; "" where there are none."""
    data = [each.as_data() for each in findings]
    return compact(data) if data else ""


def _variables(template: str, facts: Facts) -> dict[str, object]:
    variables = facts.variables()
    if template == "refine":
        *earlier, newest = facts.refinements
        variables |= {"wishJson": compact(newest), "earlierWishesJson": wishes_json(earlier)}
    return variables
