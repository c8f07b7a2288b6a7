"""Refresh: updates profiles and index when the warehouse changed."""
