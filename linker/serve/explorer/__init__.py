"""Catalog UI: the same pages from a server and as static files."""
