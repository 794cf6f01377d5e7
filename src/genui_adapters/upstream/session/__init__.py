"""One connection to an upstream: its requests, answers and notifications."""
