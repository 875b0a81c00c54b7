"""Settings of the notices service."""

from lovsvar_chassis.settings import DatabaseSettings


class Settings(DatabaseSettings):
    """Read once at start."""
