"""The demo: a generated warehouse with realistic flaws, and questions with their gold SQL."""
