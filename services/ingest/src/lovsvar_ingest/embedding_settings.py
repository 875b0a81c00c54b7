"""Settings of embedding, which ingest (it plans) and its workers (they embed) share."""

from pydantic import Field

from lovsvar_chassis.settings import DatabaseSettings
from lovsvar_embedder.settings import EmbedderSettings


class EmbeddingSettings(EmbedderSettings, DatabaseSettings):
    """Read once at start."""

    embed_workers: int = Field(default=1, ge=1, le=64, description="Requests that one worker process handles at once.")
