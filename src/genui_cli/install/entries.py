"""Entries of a list of servers: made for us, put around one that is there, and unwrapped again."""

import json
from collections.abc import Mapping, Sequence

from genui_cli.complaint import Complaint
from genui_cli.configuration.server_entries import TRANSPORTS
from genui_cli.exit_codes import USAGE
from genui_cli.upstream_options import split_at_dashes

_URL, _TRANSPORT, _HEADERS = (f"MCP_GEN_UI_UPSTREAM_{each}" for each in ("URL", "TRANSPORT", "HEADERS"))

Entry = dict[str, object]


def new_entry(us: Sequence[str], words: Sequence[str], *, states_type: bool) -> Entry:
    """Return the entry that starts us with words of ours and the upstream's."""
    stated: Entry = {"type": "stdio"} if states_type else {}
    return {**stated, "command": us[0], "args": [*us[1:], *words]}


def is_ours(entry: object, us: Sequence[str]) -> bool:
    """Whether an entry starts us, wherever we were installed when it was made."""
    if not isinstance(entry, Mapping):
        return False
    words = [str(entry.get("command")), *_texts(entry.get("args"))]
    begins = [*us] == words[: len(us)]
    return begins or "genui_cli" in words[:4] or words[0].removesuffix(".exe").endswith("mcp-gen-ui")


def wrapped(entry: Mapping[str, object], us: Sequence[str], words: Sequence[str]) -> Entry:
    """Return an entry with us in front of its server; what else stands in it stays.

    A server gets only the variables that it is given, so those of the entry are passed on by
    name, and those that the host keeps itself and only names there (``env_keys``). What is sent to a URL may be secret: it goes into variables, where a list of the
    machine's processes does not show it.

    Raises:
        Complaint: The entry names neither a program nor a URL.
    """
    rest = {
        key: each for key, each in entry.items() if key not in ("command", "args", "url", "headers", "type")
    }
    variables = entry.get("env")
    env = {**variables} if isinstance(variables, Mapping) else {}
    command, url = entry.get("command"), entry.get("url")
    if isinstance(command, str):
        names = dict.fromkeys([*map(str, env), *_texts(entry.get("env_keys"))])
        passed = [word for name in names for word in ("-e", name)]
        target = [*passed, "--", command, *_texts(entry.get("args"))]
        return {**new_entry(us, [*words, *target], states_type="type" in entry), **rest}
    if not isinstance(url, str):
        hint = "give its entry a command or a url first"
        raise Complaint("the server has neither a command nor a URL", hint=hint, exit_code=USAGE)
    spoken = TRANSPORTS.get(str(entry.get("type")))
    told = {
        _URL: url,
        **({_TRANSPORT: spoken} if spoken else {}),
        **({_HEADERS: json.dumps(entry["headers"])} if "headers" in entry else {}),
    }
    return {**new_entry(us, words, states_type="type" in entry), **rest, "env": {**env, **told}}


def unwrapped(entry: Mapping[str, object]) -> Entry | None:
    """Return the entry as it was before we were put in front; None where we are in front of nothing."""
    rest = {key: each for key, each in entry.items() if key not in ("command", "args", "type")}
    _, argv = split_at_dashes(_texts(entry.get("args")))
    if argv:
        stated = {"type": entry["type"]} if "type" in entry else {}
        return {**stated, "command": argv[0], "args": list(argv[1:]), **rest}
    env = rest.pop("env", None)
    if not isinstance(env, Mapping) or _URL not in env:
        return None
    others = {name: value for name, value in env.items() if name not in (_URL, _TRANSPORT, _HEADERS)}
    return {
        **({"type": env[_TRANSPORT]} if _TRANSPORT in env else {}),
        "url": env[_URL],
        **({"headers": json.loads(str(env[_HEADERS]))} if _HEADERS in env else {}),
        **({"env": others} if others else {}),
        **rest,
    }


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else []
