"""Stored views: their keys, histories and exports."""
