"""Property tests without deadlines, since machines under load are slow."""

from hypothesis import HealthCheck, settings

settings.register_profile("lovsvar-rendering", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-rendering")
