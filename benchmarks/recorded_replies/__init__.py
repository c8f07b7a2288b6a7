"""Recorded replies of language models, replayed for identical prompts."""
