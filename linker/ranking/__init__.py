"""Learned ranking of tables and columns by relevance to a question, without a language model."""
