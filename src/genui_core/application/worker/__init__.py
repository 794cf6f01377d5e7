"""What transports ask of the generation worker."""
