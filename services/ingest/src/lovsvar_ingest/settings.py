"""Settings of the ingest service and of its embedding workers."""

from datetime import time

from pydantic import Field

from lovsvar_chassis.setting_types import CommaSeparated
from lovsvar_chassis.settings import DatabaseSettings
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_ingest.core.sync_guard import REMOVED_SHARE

LOVDATA = "https://api.lovdata.no/v1/publicData/get/"


class EmbeddingSettings(EmbedderSettings, DatabaseSettings):
    """Settings that ingest (it plans) and its workers (they embed) share. Read once at start."""

    embed_workers: int = Field(default=1, ge=1, le=64, description="Requests that one worker process handles at once.")


class Settings(EmbeddingSettings):
    """Read once at start."""

    source: str = Field(
        default=LOVDATA, description="An http(s) base address or a folder that holds `<dataset>.tar.bz2`."
    )
    sources: CommaSeparated = Field(
        default=(), description="Further addresses and folders that a request may name, parted by commas."
    )
    guard_share: float = Field(
        default=REMOVED_SHARE,
        ge=0,
        le=1,
        description="The share of a data set's documents that a sync may remove, empty or put out of force unasked.",
    )
    sync_at: str = Field(
        default="",
        pattern=r"^(?:|(?:[01]\d|2[0-3]):[0-5]\d)$",
        description="When the law in force is synced every night, `03:30`, in UTC; empty for never.",
    )
    plan_embeddings: bool = Field(default=True, description="Whether workers are asked for vectors of what is stored.")

    @property
    def nightly(self) -> time | None:
        """The time of day (UTC) of the nightly syncs; None for none."""
        return time.fromisoformat(self.sync_at) if self.sync_at else None
