"""Settings, warehouse connection and installed packages, read once at the edge."""

from linker.config.settings import Settings, changed_settings, load_settings, variable_of

__all__ = ["Settings", "changed_settings", "load_settings", "variable_of"]
