"""The pure heart of mcp-gen-ui: domain, rules, ports and use-cases, free of effects."""

from genui_core.application.wrapper import Wrapper

__all__ = ["Wrapper"]
