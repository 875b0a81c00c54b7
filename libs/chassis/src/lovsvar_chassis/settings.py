"""Environment variables that all services share. Each service adds its own in a subclass."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _in_capitals(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_in_capitals)]


class ServiceSettings(BaseSettings):
    """Read once at start and passed in. Variables are prefixed `LOVSVAR_`."""

    model_config = SettingsConfigDict(env_prefix="LOVSVAR_", frozen=True, extra="ignore")

    nats_url: str = Field(
        default="nats://127.0.0.1:4222", description="The broker; several addresses of a cluster with commas between."
    )
    nats_replicas: int = Field(default=1, ge=1, le=5, description="Copies of each JetStream stream.")
    storage_mb: int = Field(
        default=4096, ge=64, description="Megabytes that all JetStream streams may take together, once for each copy."
    )
    log_level: LogLevel = "INFO"
    exit_with_parent: bool = Field(
        default=False, description="Stop when standard input ends; the one-machine launcher sets it."
    )
    liveness_file: Path | None = Field(
        default=None, description="A file that the event loop touches every second; none when it is not set."
    )

    @property
    def nats_servers(self) -> list[str]:
        """The broker's addresses; whichever answers is used."""
        return [url.strip() for url in self.nats_url.split(",") if url.strip()]


class DatabaseSettings(ServiceSettings):
    """Settings of a service that talks to PostgreSQL."""

    database_url: str = "postgresql://postgres@127.0.0.1:5432/lovsvar"
    database_pool: int = Field(default=8, ge=1, le=100)
