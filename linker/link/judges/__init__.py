"""Judges: what thinks in each step of linking, a language model or the profiles alone."""

from linker.link.judges.base import STEPS, Judge, Pick, Step, Turn, Unknown

__all__ = ["STEPS", "Judge", "Pick", "Step", "Turn", "Unknown"]
