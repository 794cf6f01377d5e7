"""Prompts from elsewhere than the package."""
