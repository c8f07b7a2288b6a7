"""Ranking without a language model: which tables and columns of a catalogue a question needs."""
