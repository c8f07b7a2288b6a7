"""
Agents at the demo: a language model answers questions with the tools of a door alone, and is
counted and judged.
"""
