"""The rules of the wrapper as synchronous, pure functions and values: no files, processes or network."""
