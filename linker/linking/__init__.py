"""Linking: the steps from a question to a linked schema."""
