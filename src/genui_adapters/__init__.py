"""What touches the world for the core: processes, pipes, files, clocks, SDKs."""
