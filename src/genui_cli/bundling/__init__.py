"""Desktop bundles (``.mcpb``): an archive with the wrapper, a manifest and the command of a server."""
