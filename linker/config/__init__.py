"""Settings, the connection of the target, and what is installed: read once, at the edge."""

from linker.config.settings import Settings, load_settings, variable_of

__all__ = ["Settings", "load_settings", "variable_of"]
