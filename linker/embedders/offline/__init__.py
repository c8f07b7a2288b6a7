"""The offline encoder: all-MiniLM-L6-v2, computed in numpy."""
