"""Every view of a server checked, for continuous integration: validated, and shown in a browser with stories."""
