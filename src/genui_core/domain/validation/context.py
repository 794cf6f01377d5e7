"""What the validator must know besides the text."""

from attrs import frozen

from genui_core.domain.settings.settings import GenerationMode
from genui_core.domain.validation.finding import ValidationReport


@frozen(kw_only=True)
class ValidationContext:
    """What the validator must know besides the text.

    Attributes:
        mode: Whether a fragment or a document was asked for.
        callable_tools: The names of the tools that the view may call.
        nonce: The code of the prompt's fences, which no view may hold.
        strict: ``security.strict``: whether code from strings is refused or only a warning.
        repairing: If the model was asked to repair one block: the report on the view of that block. The
            answer replaces the block before validation.
        page_policy: Whether the page of the view has a policy of its own, which stops what a script
            would load from outside.
    """

    mode: GenerationMode
    callable_tools: frozenset[str]
    nonce: str
    strict: bool = True
    repairing: ValidationReport | None = None
    page_policy: bool = True
