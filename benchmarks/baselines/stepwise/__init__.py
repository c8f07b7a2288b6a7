"""EviLink step by step: the published flow, with a judge for each decision."""
