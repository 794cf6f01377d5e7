"""The rules for what a script uses of the page's global object, in any spelling."""

from collections.abc import Iterator, Mapping
from typing import Final

from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.properties import SOME_DOCUMENT
from genui_core.domain.validation.script.scopes import UNPACKED, Binding, constant_value
from genui_core.domain.validation.script.tree import Node
from genui_core.domain.validation.script.values import UNKNOWN_KEY, Path

_LOCATIONS = {("location",), ("document", "location")}
_CLICKING = {"click", "dispatchEvent"}
_CLICKS = {("<a", each) for each in _CLICKING}
_VALUE_ASSIGNMENTS = {"assignment_expression", "augmented_assignment_expression"}


def own_navigation(flow: Flow, location: Node) -> Node | None:
    """Return the expression that only changes the fragment of the page's address, or reloads the page."""
    around, paths = location.parent, flow.value(location).paths
    if around is None or not location.fills("object") or not paths or paths - _LOCATIONS:
        return None
    key = flow.key(around)
    changes_fragment = key == {"hash"} and around.fills("left", *_VALUE_ASSIGNMENTS)
    return around.parent if changes_fragment or (key == {"reload"} and around.fills("function")) else None


def clicked_download(flow: Flow, method: Node) -> Node | None:
    """Return the call that clicks a link to save a file, if the script made the link."""
    if not method.fills("function") or "object" not in method.fields:
        return None
    clicks = not flow.value(method).paths.isdisjoint(_CLICKS) and flow.key(method) <= _CLICKING
    return method.parent if clicks and any(_names_file(flow, each) for each in flow.tree.nodes) else None


def _names_file(flow: Flow, node: Node) -> bool:
    """Tell whether a node sets a ``download`` property or attribute."""
    if node.kind == "pair":
        return "download" in flow.key_texts(node.fields["key"])
    if node.kind == "assignment_expression":
        return "download" in flow.key(node.fields["left"])
    named = "setAttribute" in flow.key(node.fields.get("function"))
    return named and "download" in flow.value(next(iter(node.arguments), None)).exact


NodeMatch = tuple[str, Node]
"""The id of a rule, and the node that breaks it."""

_FORBIDDEN: Final = {
    "frame.access": "parent top opener frameElement document.parentWindow",
    "frame.computed": f"{UNKNOWN_KEY} document.{UNKNOWN_KEY}",
    "code.from_text": "eval Function execScript AsyncFunction GeneratorFunction WebAssembly ShadowRealm document.write"
    f" document.writeln {SOME_DOCUMENT}.write {SOME_DOCUMENT}.writeln",
    "network.call": "fetch fetchLater XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport Worker SharedWorker"
    " ServiceWorker importScripts BroadcastChannel PresentationRequest Notification ActiveXObject sharedStorage"
    " MediaMetadata XSLTProcessor SpeechRecognition webkitSpeechRecognition navigator.sendBeacon"
    f" navigator.serviceWorker navigator.joinAdInterestGroup navigator.runAdAuction navigator.{UNKNOWN_KEY}",
    "webrtc": "RTCPeerConnection webkitRTCPeerConnection mozRTCPeerConnection RTCDataChannel RTCIceTransport"
    " RTCDtlsTransport",
    "navigation": "location navigation open showModalDialog external documentPictureInPicture document.location"
    f" document.open {SOME_DOCUMENT}.location history.{UNKNOWN_KEY} history.back history.forward history.go"
    " navigator.share navigator.registerProtocolHandler <a.click <area.click <a.dispatchEvent <form.submit",
    "storage": "localStorage sessionStorage indexedDB caches cookieStore openDatabase document.cookie",
    "dialog": "alert confirm prompt print",
    "input.secret": "PaymentRequest PasswordCredential FederatedCredential navigator.credentials",
}
"""For each rule, the forbidden paths, each from the page's global object on."""
_RULES: Final[Mapping[Path, str]] = {
    tuple(each.split(".")): rule for rule, paths in _FORBIDDEN.items() for each in paths.split()
}

_ANYWHERE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("contentWindow", "frameElement", "postMessage"), "frame.access"),
    **dict.fromkeys(("sendBeacon", "addModule", "serviceWorker"), "network.call"),
}

_READ_ONLY = {"href", "origin", "protocol", "host", "hostname", "port", "pathname", "search", "hash"}
_READS = {
    "identifier", "member_expression", "subscript_expression", "shorthand_property_identifier",
    "shorthand_property_identifier_pattern", "pair_pattern",
}  # fmt: skip


FORBIDDEN_GLOBALS: Final = frozenset(
    reached[0]
    for reached, rule in _RULES.items()
    if len(reached) == 1 and rule not in ("storage", "dialog", "frame.computed")
)
"""Properties of the global object for which a view is refused or goes back to the model."""


def forbidden_paths(flow: Flow) -> Iterator[NodeMatch]:
    """Yield each place where a script reads an object of the page that no view may use."""
    for node in flow.tree.nodes:
        reaches = node.kind in _READS or (node.kind == "call_expression" and _is_reflect_get(flow, node))
        if not reaches or flow.binding(node) is not None or _is_only_tested(node):
            continue
        for each in flow.value(node).paths:
            rule = _rule(each)
            if rule is not None and not _is_harmless(flow, node, each, rule):
                yield _repairable_rule(flow, node, rule), node
        if not _is_own_port(flow, node.fields.get("object")):
            yield from ((_ANYWHERE[key], node) for key in flow.key(node) if key in _ANYWHERE)


def _repairable_rule(flow: Flow, node: Node, rule: str) -> str:
    """Return the rule with a repair if one can replace a navigation, or else the given rule."""
    if rule != "navigation":
        return rule
    if own_navigation(flow, node) is not None:
        return "navigation.own"
    return rule if clicked_download(flow, node) is None else "navigation.download"


def _is_own_port(flow: Flow, node: Node | None) -> bool:
    """Tell whether a node is certainly a port of a ``MessageChannel`` that the script made."""
    if node is not None and node.kind == "member_expression" and flow.key(node) <= {"port1", "port2"}:
        binding = flow.binding(node.fields["object"])
        return binding is not None and _is_channel(flow, binding, binding.node)
    binding = flow.binding(node)
    taken = binding is not None and binding.node.kind == "shorthand_property_identifier_pattern"
    return binding is not None and taken and _is_channel(flow, binding, binding.node.parent)


def _is_channel(flow: Flow, binding: Binding, pattern: Node | None) -> bool:
    """Tell whether a statement ``const pattern = new MessageChannel()`` declares a binding."""
    value = constant_value(binding, pattern)
    maker = None if value is None else value.fields.get("constructor")
    return ("MessageChannel",) in flow.value(maker).paths


def _is_reflect_get(flow: Flow, node: Node) -> bool:
    """Tell whether a call is one like ``Reflect.get(navigator, "sendBeacon")``."""
    return ("Reflect", "get") in flow.value(node.fields["function"]).paths


def _rule(reached: Path) -> str | None:
    if len(reached) == 1 and reached[0].isdecimal():
        return "frame.access"
    if reached[-1:] and reached[-1] in _NAVIGATES and (reached[:2] in _LISTED or "prototype" in reached):
        return "navigation"
    return _RULES.get(reached)


_LISTED = {("document", "forms"), ("document", "links"), ("document", "anchors")}
_NAVIGATES = {"click", "submit", "requestSubmit", "dispatchEvent"}
"""Methods that navigate; a script that takes them from a prototype hides the object it calls them on."""


def _is_only_tested(node: Node) -> bool:
    """Tell whether a node is in ``typeof fetch`` or ``f instanceof Function``, which use nothing."""
    around = node.parent
    if around is None:
        return False
    asks_type = around.kind == "unary_expression" and around.tokens[:1] == ["typeof"]
    return asks_type or ("instanceof" in around.tokens and node.fills("right", "binary_expression"))


def _is_harmless(flow: Flow, node: Node, reached: Path, rule: str) -> bool:
    if reached == ("navigator", UNKNOWN_KEY):  # most properties only describe the browser
        return not node.fills("function")
    return rule == "navigation" and _only_reads(flow, node, reached)


def _only_reads(flow: Flow, node: Node, reached: Path) -> bool:
    around = node.parent
    if around is None or reached[-1] != "location":
        return False
    if node.fills("value", "variable_declarator"):
        return _unpacks_only(flow, around.fields["name"], _READ_ONLY)
    if _is_read_as_text(flow, around):
        return True
    if not node.fills("object") or not flow.key(around) <= _READ_ONLY:
        return False
    unpacked = around.parent is not None and around.parent.kind.endswith("pattern")
    return not (unpacked or around.fills("left", *_ASSIGNMENTS) or around.fills("function"))


def _is_read_as_text(flow: Flow, around: Node) -> bool:
    """Tell whether a node is in ``new URL(location)`` or ``String(location)``, which only read an address."""
    if around.kind == "template_substitution":
        return True
    call = around.parent if around.kind == "arguments" else None
    callee = None if call is None else call.fields.get("function") or call.fields.get("constructor")
    return callee is not None and not flow.value(callee).functions and flow.value(callee).paths <= _READERS


_READERS = {("URL",), ("URLSearchParams",), ("String",), ("encodeURIComponent",), ("encodeURI",)}


def _unpacks_only(flow: Flow, pattern: Node, names: set[str]) -> bool:
    """Tell whether a pattern takes only properties with some names out of an object."""
    return pattern.kind == "object_pattern" and all(
        each.kind in UNPACKED and flow.key(each) <= names for each in pattern.children
    )


_ASSIGNMENTS = {"assignment_expression", "augmented_assignment_expression", "for_in_statement"}


def constructors(flow: Flow) -> Iterator[NodeMatch]:
    """Yield each use of a ``constructor`` property that may lead to ``Function``."""
    for node in flow.tree.of("call_expression", "member_expression", "subscript_expression", *UNPACKED):
        if node.kind == "call_expression" and _is_reflect_get(flow, node):
            if any("constructor" in each.exact for each in flow.given(node)[1:]):
                yield "code.from_text", node
        elif "constructor" in flow.key(node) and (node.kind in UNPACKED or _leads_to_code(flow, node)):
            yield "code.from_text", node


def _leads_to_code(flow: Flow, node: Node) -> bool:
    subject, around = node.fields["object"], node.parent
    if subject.kind == "this" or around is None:
        return False
    if around.kind in ("binary_expression", "unary_expression") or _is_only_set_or_compared(node, around):
        return False
    return not (node.fills("object") and flow.key(around) <= {"name", "prototype"})


def _is_only_set_or_compared(node: Node, around: Node) -> bool:
    """Tell whether a constructor is only set, or compared as in ``switch (x.constructor)``."""
    outer = "" if around.parent is None else around.parent.kind
    if around.kind == "parenthesized_expression":
        return outer == "switch_statement"
    return outer == "expression_statement" and node.fills("left", "assignment_expression")


def unknown_calls(flow: Flow) -> Iterator[NodeMatch]:
    """Yield ``x[a][b](text)()`` and ``f[a](text)()``: a call of the result of a text is code from text."""
    for node in flow.tree.of("call_expression"):
        made = node.fields.get("function")
        maker = made.fields.get("function") if made is not None and made.kind == "call_expression" else None
        if made is None or maker is None or not any(each.holds_text for each in flow.given(made)):
            continue
        inner = maker.fields.get("object")
        if inner is None or not _is_computed(flow, maker):
            continue
        if _is_computed(flow, inner) or flow.value(inner).functions:
            yield "code.from_text", node


def _is_computed(flow: Flow, node: Node) -> bool:
    is_plain = any(each.isidentifier() or each.isdecimal() for each in flow.key(node))
    return node.kind == "subscript_expression" and not is_plain
