"""Gold tables and columns from gold SQL."""

from linker.evals.gold.derive import derive_gold

__all__ = ["derive_gold"]
