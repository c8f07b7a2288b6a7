"""
The reader of natural language: words, values, dates and periods, and lengths of time, from text
alone.
"""
