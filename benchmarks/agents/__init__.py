"""
Agent evaluation on the demo: a language model answers with the tools of one interface, and is
measured and judged.
"""
