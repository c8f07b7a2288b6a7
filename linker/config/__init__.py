"""Settings, the connection of the target, and what is installed: read once, at the edge."""

from linker.config.loading import changed_settings, load_settings
from linker.config.settings import Settings, variable_of

__all__ = ["Settings", "changed_settings", "load_settings", "variable_of"]
