"""The guard: what SQL of models and people may read, and as which probe it runs."""
