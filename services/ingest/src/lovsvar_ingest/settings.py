"""Settings of the ingest service and of its embedding workers."""

from datetime import time

from pydantic import Field

from lovsvar_chassis.setting_types import CommaSeparated
from lovsvar_chassis.settings import DatabaseSettings
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_ingest.core.catalogues.guard import SHARE
from lovsvar_ingest.core.catalogues.items import ItemLimits
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
        description="When law in force and the catalogues are synced every night, `03:30`, in UTC; empty for never.",
    )
    catalogues: CommaSeparated = Field(
        default=("shipped",),
        description="Folders and addresses of catalogues, parted by commas: `shipped` is those that come with Lovsvar, "
        "`none` is none.",
    )
    catalogue_guard_share: float = Field(
        default=SHARE,
        ge=0,
        le=1,
        description="The share of a catalogue's items that a sync may remove or empty unasked.",
    )
    catalogue_bytes: int = Field(default=ItemLimits.size, ge=1, description="The largest file with items, in bytes.")
    catalogue_items: int = Field(default=ItemLimits.items, ge=1, description="The most items of a catalogue.")
    catalogue_seconds: float = Field(
        default=ItemLimits.seconds, gt=0, description="How long a sync of a catalogue may take, in seconds."
    )
    plan_embeddings: bool = Field(default=True, description="Whether workers are asked for vectors of what is stored.")

    @property
    def nightly(self) -> time | None:
        """The time of day (UTC) of the nightly syncs; None for none."""
        return time.fromisoformat(self.sync_at) if self.sync_at else None

    @property
    def item_limits(self) -> ItemLimits:
        """The most that is read of a catalogue."""
        return ItemLimits(self.catalogue_bytes, self.catalogue_items, self.catalogue_seconds)
