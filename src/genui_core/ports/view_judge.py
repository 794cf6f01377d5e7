"""Whoever takes a view out of what a model wrote, checks it and mends what can be mended (SPEC §7)."""

from abc import abstractmethod
from typing import Protocol

from attrs import frozen

from genui_core.domain.finding import Verdict
from genui_core.domain.settings import GenerationMode


@frozen(kw_only=True)
class JudgeBrief:
    """What a judge must know besides the text.

    Attributes:
        mode: Whether a fragment or a document was asked for.
        callable_tools: The names of the tools that the view may call.
        nonce: The code of the prompt's fences, which no view may hold.
        strict: ``security.strict``: whether code from strings stands in the way or is only noted.
        mending: Where the model was asked to mend one block: the view that block belongs to,
            into which the answer is put before it is judged.
    """

    mode: GenerationMode
    callable_tools: frozenset[str]
    nonce: str
    strict: bool = True
    mending: Verdict | None = None


class ViewJudge(Protocol):
    """Judges what models write.

    Judgements may be asked for at the same time, in one event loop, which they do not hold up:
    parsing happens elsewhere, within a limit. The same text under the same brief gets the same
    verdict.
    """

    @abstractmethod
    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict on a model's answer. A text that cannot be judged in time is refused."""
        ...
