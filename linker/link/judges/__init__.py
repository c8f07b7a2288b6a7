"""Judges: what decides in each step of linking, a language model or the profiles alone."""
