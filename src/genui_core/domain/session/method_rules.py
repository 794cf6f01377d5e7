"""What may happen to a request while the upstream is down, by its method: one table for all transports."""

KNOWN_LISTS = frozenset({"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
"""The lists that hosts get as they were known last, while the upstream is down."""

REPEATABLE = KNOWN_LISTS | {"resources/read", "prompts/get"}
"""What may be sent again if the connection was lost before the answer: it changes nothing."""

MAY_WAIT = REPEATABLE | {
    "initialize",
    "server/discover",
    "ping",
    "resources/subscribe",
    "resources/unsubscribe",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
}
"""What may wait for a new upstream. Behind the stdio relay a tool call fails at once, so that its caller knows."""
