"""Refresh: keeps profiles and index in step with the warehouse."""
