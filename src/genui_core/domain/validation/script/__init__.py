"""Analyzes scripts: syntax tree, scopes, the values of expressions, and the rules that they break."""
