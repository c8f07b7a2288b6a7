"""Run history, schema diff between runs, and metrics for monitors."""
