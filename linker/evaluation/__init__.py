"""Honest measuring: the only place that may see gold."""
