"""Minds: what thinks in each step of linking, a language model or the profiles alone."""

from linker.link.judges.base import STEPS, Mind, Pick, Step, Turn, Unknown

__all__ = ["STEPS", "Mind", "Pick", "Step", "Turn", "Unknown"]
