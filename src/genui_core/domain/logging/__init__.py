"""The redaction of secrets, in the log and elsewhere, and the ``error`` of a log event."""
