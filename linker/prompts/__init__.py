"""Prompts: templates, and how they are rendered."""
