"""Settings of the search service."""

from pathlib import Path

from pydantic import Field

from lovsvar_chassis.settings import DatabaseSettings
from lovsvar_embedder.settings import EmbedderSettings


class Settings(EmbedderSettings, DatabaseSettings):
    """Read once at start."""

    index_dir: Path | None = Field(
        default=None, description="Folder of the index, for one process; a temporary one when it is not set."
    )
    corpus_poll_seconds: float = Field(default=2.0, gt=0, description="How often the corpus version is looked at.")
