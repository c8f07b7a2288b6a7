"""Evaluation figures as pages, beside published results."""
