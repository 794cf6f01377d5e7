"""The commands, one module each. Importing them loads only the command line library."""
