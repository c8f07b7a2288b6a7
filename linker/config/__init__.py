"""Configuration: settings, servers of models, and the target in profiles.yml."""
