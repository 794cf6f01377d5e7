"""Extracts views from models' answers, validates them by rules, and repairs them (requirements V1 to V3)."""
