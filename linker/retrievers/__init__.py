"""Retrievers: ways to find columns for a text."""
