"""Extracts views from models' answers, validates them by the rules of SPEC §7, and repairs them."""
