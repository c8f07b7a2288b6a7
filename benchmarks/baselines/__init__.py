"""
Baseline strategies: published schema linkers, and simple methods without a model.

pyproject.toml registers each in the entry point group `linker.strategies`, as any other package
would.
"""
