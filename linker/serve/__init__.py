"""Doors for agents: one resident process that answers what a model asks of the profiles and the warehouse."""
