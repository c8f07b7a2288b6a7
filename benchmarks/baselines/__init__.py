"""
Linkers to compare with: what papers propose or call a baseline, and easy methods that need no
model.

Each is registered by pyproject.toml in the group `linker.strategies`, as a strategy of any other
package would be.
"""
