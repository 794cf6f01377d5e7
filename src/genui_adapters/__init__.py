"""The adapters: the core's ports, implemented with processes, pipes, files, sockets and libraries."""
