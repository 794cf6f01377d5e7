"""The built-in providers; a provider's library is loaded with its first request."""
