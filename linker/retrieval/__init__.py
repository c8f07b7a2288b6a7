"""Retrievers: ways to find columns and tables for a text."""
