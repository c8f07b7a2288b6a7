"""Evaluation of linking on questions whose answer is known: the only place that may see gold."""
