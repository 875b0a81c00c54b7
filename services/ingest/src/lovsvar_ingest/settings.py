"""Settings of the ingest service."""

from pydantic import Field

from lovsvar_ingest.embedding_settings import EmbeddingSettings

LOVDATA = "https://api.lovdata.no/v1/publicData/get/"


class Settings(EmbeddingSettings):
    """Read once at start."""

    source: str = Field(
        default=LOVDATA, description="An http(s) base address or a folder that holds `<dataset>.tar.bz2`."
    )
