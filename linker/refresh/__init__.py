"""Refreshing: profiles and index in step with the warehouse."""
