"""The practice service: court decisions and administrative practice at lovdata.no."""
