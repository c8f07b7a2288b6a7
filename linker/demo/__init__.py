"""The demo: a generated warehouse with the flaws of real ones, and questions with known answers."""
