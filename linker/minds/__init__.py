"""Minds: what thinks in each step of linking, a language model or the profiles alone."""

from linker.minds.base import Mind, Pick, Turn

__all__ = ["Mind", "Pick", "Turn"]
