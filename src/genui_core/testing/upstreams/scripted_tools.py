"""The tools of a scripted upstream: each does one thing that can happen between a host and a server."""

from collections.abc import Callable, Mapping
from json import loads

from genui_core.testing.upstreams.hostile_answers import ERRORS, RESULTS
from genui_core.testing.upstreams.scripted_acts import (
    Act,
    Die,
    Message,
    Say,
    answered,
    noted,
    refused,
    structured,
)
from genui_core.testing.upstreams.scripted_memory import NEWS, Memory

_SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"

Tool = Callable[[Memory, object, Message], list[Act]]


def mapping(value: object) -> Message:
    """Return a value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def _echo(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with what was sent."""
    return [structured(call, params)]


def _answer(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with the hostile result or error of that ``name``."""
    name = str(mapping(params.get("arguments")).get("name"))
    if name in ERRORS:
        return [refused(call, loads(ERRORS[name]))]
    return [answered(call, loads(RESULTS[name]))]


def _big(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Answer with a text of so many ``bytes``."""
    return [answered(call, {"content": [{"type": "text", "text": "x" * _number(params, "bytes")}]})]


def _progress(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Report progress ``count`` times, under the token that was given."""
    token = mapping(params.get("_meta")).get("progressToken")
    steps = [
        {"progressToken": token, "progress": step, "vendor": 1.0} for step in range(_number(params, "count"))
    ]
    return [*(noted("notifications/progress", step, call) for step in steps), structured(call, {})]


def _log(_memory: Memory, call: object, params: Message) -> list[Act]:
    """Log ``count`` lines."""
    lines = [{"level": "info", "data": {"line": line, "f": 1.0}} for line in range(_number(params, "count"))]
    return [*(noted("notifications/message", line, call) for line in lines), structured(call, {})]


def _ask(memory: Memory, call: object, params: Message) -> list[Act]:
    """Put a request to the host, ``method`` with ``params``, and answer with its answer; ``untied`` to the call or tied."""
    wanted = mapping(params.get("arguments"))
    question = f"question {call}"
    memory.askers[question] = call
    request = {
        "jsonrpc": "2.0",
        "id": question,
        "method": wanted["method"],
        "params": mapping(wanted.get("params")),
    }
    return [Say(request, None if wanted.get("untied") else call)]


def _news(memory: Memory, call: object, _params: Message) -> list[Act]:
    """Say that things changed, to everybody who listens."""
    return [*(each for listener in memory.listeners for each in _news_for(listener)), structured(call, {})]


def _news_for(listener: object) -> list[Act]:
    mark = {} if listener is None else {"_meta": {_SUBSCRIPTION_KEY: listener}}
    return [noted(method, {**params, **mark}, listener) for method, params in NEWS]


def _meet(memory: Memory, call: object, params: Message) -> list[Act]:
    """Wait until ``count`` calls wait, then answer them all, the last one first."""
    memory.meeting.append(call)
    if len(memory.meeting) < _number(params, "count"):
        return []
    met, memory.meeting = memory.meeting, []
    return [structured(each, {"call": place}) for place, each in reversed(list(enumerate(met)))]


def _hang(_memory: Memory, _call: object, _params: Message) -> list[Act]:
    """Never answer."""
    return []


def _die(_memory: Memory, _call: object, _params: Message) -> list[Act]:
    """Stop at once."""
    return [Die()]


def _seen(memory: Memory, call: object, _params: Message) -> list[Act]:
    """Return the requests and notifications that it got, and the names of the cancelled calls."""
    remembered = {
        "requests": memory.requests,
        "notifications": memory.notifications,
        "cancelled": memory.cancelled,
    }
    return [structured(call, remembered)]


TOOLS: Mapping[str, Tool] = {
    "echo": _echo,
    "answer": _answer,
    "big": _big,
    "progress": _progress,
    "log": _log,
    "ask": _ask,
    "news": _news,
    "meet": _meet,
    "hang": _hang,
    "die": _die,
    "seen": _seen,
}


def _number(params: Message, name: str) -> int:
    return int(str(mapping(params.get("arguments"))[name]))
