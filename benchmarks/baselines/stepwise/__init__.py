"""Judges: what decides in each step of linking."""
