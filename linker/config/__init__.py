"""Settings, the connection of the target, and what is installed: read once, at the edge."""

from linker.config.loading import load_settings
from linker.config.settings import Settings, variable_of

__all__ = ["Settings", "load_settings", "variable_of"]
