"""The view in a model's answer: out of prose, fences, thoughts, and whatever else stands around it (SPEC §4)."""

import re

from attrs import frozen

from genui_core.domain.settings.settings import GenerationMode
from genui_core.domain.validation.finding import ValidationReport

END_MARKER = "<!--end-->"

_THOUGHTS = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(r"<(style|template|script)(\s[^<>]*)?>", re.IGNORECASE)
_TEMPLATE_TAG = re.compile(r"<(/?)template\b[^<>]*>", re.IGNORECASE)
_DOCUMENT = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_ENDING = re.compile(r"<(/?script)\b|</html\s*>", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)


@frozen(kw_only=True)
class Fragment:
    """The three blocks of a fragment, without their tags.

    Attributes:
        missing: The names of blocks that the answer lacks or breaks off in.
    """

    style: str = ""
    template: str = ""
    script: str = ""
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The fragment as it is stored and shown to a model again."""
        return (
            f"<style>\n{self.style}\n</style>\n"
            f"<template>\n{self.template}\n</template>\n"
            f"<script>\n{self.script}\n</script>\n{END_MARKER}\n"
        )


def fragment_in(answer: str) -> Fragment | None:
    """Return the first fragment in an answer, or None where there is no trace of one.

    A block that breaks off is taken up to the end, and named as missing.
    """
    text = _FENCE.sub("", without_thoughts(answer, _OPENING))
    blocks: dict[str, str] = {}
    broken: list[str] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        name = opening[1].lower()
        between = text[at : opening.start()]
        if name in blocks or (blocks and END_MARKER in between):
            break
        end, after = _end_of(name, text, opening.end())
        blocks[name] = text[opening.end() : end].strip("\n")
        if after is None:
            broken.append(name)
            break
        at = after
    if "script" not in blocks and "template" not in blocks:
        return None
    absent = [name for name in ("template", "script") if name not in blocks]
    return Fragment(
        style=blocks.get("style", ""),
        template=blocks.get("template", ""),
        script=blocks.get("script", ""),
        missing=(*broken, *absent),
    )


def document_in(answer: str) -> str | None:
    """Return the first HTML document in an answer, or None where there is none.

    One that breaks off is taken up to the end.
    """
    text = without_thoughts(answer, _DOCUMENT)
    opening = _DOCUMENT.search(text)
    if opening is None:
        return None
    closing = _end_of_document(text, opening.start())
    following = _DOCUMENT.search(text, opening.end() + 200)
    if closing is not None:
        return text[opening.start() : closing]
    end = following.start() if following is not None else len(text)
    return text[opening.start() : end].rstrip().removesuffix("```").rstrip()


def block_in(answer: str, name: str) -> str | None:
    """Return the content of one block, for an answer that was to hold only that."""
    text = _FENCE.sub("", without_thoughts(answer, _OPENING))
    opening = next((each for each in _OPENING.finditer(text) if each[1].lower() == name), None)
    if opening is None:
        return None
    end, _ = _end_of(name, text, opening.end())
    return text[opening.end() : end].strip("\n")


def without_thoughts(answer: str, view: re.Pattern[str]) -> str:
    """Return an answer without the thoughts before its view: in a view, their tags are words like others."""
    kept: list[str] = []
    at = 0
    while (thought := _THOUGHTS.search(answer, at)) is not None:
        if view.search(answer, at, thought.start()) is not None:
            break
        kept.append(answer[at : thought.start()])
        at = thought.end()
    return "".join((*kept, answer[at:]))


def _end_of_document(text: str, start: int) -> int | None:
    """Return where the first end tag stands that is none in a script; otherwise where the first one does."""
    first: int | None = None
    in_script = False
    for tag in _ENDING.finditer(text, start):
        if tag[1] is not None:
            in_script = tag[1][0] != "/"
        elif not in_script:
            return tag.end()
        else:
            first = first or tag.end()
    return first


def _end_of(name: str, text: str, start: int) -> tuple[int, int | None]:
    """Return where a block's content ends, and where its end tag does; None for a block without one."""
    if name == "template":
        return _end_of_template(text, start)
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, start)
    return (len(text), None) if closing is None else (closing.start(), closing.end())


def _end_of_template(text: str, start: int) -> tuple[int, int | None]:
    """Templates may hold templates; the end is that of the outermost."""
    depth = 1
    for tag in _TEMPLATE_TAG.finditer(text, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.start(), tag.end()
    return len(text), None


@frozen(kw_only=True)
class ValidationContext:
    """What the validator must know besides the text.

    Attributes:
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
