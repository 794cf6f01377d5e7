"""The checks of `doctor`: settings, model, prompts, store, upstream, hosts, and views in a strict sandbox."""
