"""Settings of the ingest service."""

from pydantic import Field

from lovsvar_chassis.settings import DatabaseSettings

LOVDATA = "https://api.lovdata.no/v1/publicData/get/"


class Settings(DatabaseSettings):
    """Read once at start."""

    source: str = Field(
        default=LOVDATA, description="An http(s) base address or a folder that holds `<dataset>.tar.bz2`."
    )
