"""
Replies of language models that were recorded once, and are given again where the prompt is the
same.
"""
