"""The judge without a language model."""
