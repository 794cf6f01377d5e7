"""The pure heart of mcp-gen-ui: domain, rules, ports and use-cases, free of effects."""
