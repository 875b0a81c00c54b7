"""Environment variables that all services share. Each service adds its own in a subclass.

Any of them may be a file of that name in the folder `LOVSVAR_SECRETS_DIR`, so that secrets need not be in the
environment, which others can read. The environment comes first.
"""

import os
import ssl
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import quote, urlsplit, urlunsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from lovsvar_chassis.setting_types import NoneIfEmpty

SECRETS_DIR = "LOVSVAR_SECRETS_DIR"


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
    nats_seed: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="The nkey seed by which the service shows NATS who it is; none where NATS asks nobody.",
    )
    audit_nats_seed: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="The nkey seed for the account of NATS that keeps the audit log; none where there is one account.",
    )
    nats_ca_file: NoneIfEmpty[Path] = Field(
        default=None,
        description="Certificates that NATS' own is checked against; with it, nothing is sent without TLS.",
    )
    declare_streams: bool = Field(
        default=True,
        description="Whether the service makes the streams it finds missing; one that may not waits for them.",
    )
    services_file: NoneIfEmpty[Path] = Field(
        default=None, description="The manifests of all services, where not all are installed."
    )
    log_level: LogLevel = "INFO"
    metrics_port: NoneIfEmpty[int] = Field(
        default=None, ge=1, le=65_535, description="Where metrics are served as Prometheus text; none for nowhere."
    )
    metrics_host: str = Field(default="127.0.0.1", description="The address that the metrics' port is opened on.")
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

    def for_audit(self) -> Self:
        """Return the settings of a connection to the account that keeps the audit log, and nothing else."""
        return self.model_copy(update={"nats_seed": self.audit_nats_seed, "declare_streams": False})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read what is given, the environment, and then the folder of secrets if there is one."""
        folder = os.environ.get(SECRETS_DIR)
        files = SecretsSettingsSource(settings_cls, secrets_dir=folder) if folder else file_secret_settings
        return init_settings, env_settings, files


class DatabaseSettings(ServiceSettings):
    """Settings of a service that talks to PostgreSQL."""

    database_password: NoneIfEmpty[SecretStr] = Field(
        default=None, description="The password, where `database_url` holds none."
    )
    database_url: str = "postgresql://postgres@127.0.0.1:5432/lovsvar"
    database_pool: int = Field(default=8, ge=1, le=100)

    @field_validator("database_url", mode="after")
    @classmethod
    def with_password(cls, url: str, info: ValidationInfo) -> str:
        """Write the password into the URL, which is all that a client of PostgreSQL is given."""
        password: SecretStr | None = info.data.get("database_password")
        parts = urlsplit(url)
        if password is None or parts.password is not None or "@" not in parts.netloc:
            return url
        user, _, host = parts.netloc.rpartition("@")
        return urlunsplit(parts._replace(netloc=f"{user}:{quote(password.get_secret_value().strip(), safe='')}@{host}"))


def inbox_prefix(name: str) -> str:
    """Return what the inboxes of service `name` begin with. NATS lets each service read its own alone."""
    return f"_INBOX.{name}"


def tls_context(settings: ServiceSettings) -> ssl.SSLContext | None:
    """Return what NATS' certificate is checked by, or None without TLS. Raises `OSError` without the file."""
    if settings.nats_ca_file is None:
        return None
    return ssl.create_default_context(cafile=settings.nats_ca_file)


def seed(settings: ServiceSettings) -> str:
    """Return the nkey seed, or "" where there is none."""
    return settings.nats_seed.get_secret_value().strip() if settings.nats_seed else ""


def connect_options(settings: ServiceSettings, name: str) -> dict[str, Any]:
    """Return the options of `nats.connect` for service `name`, without the address."""
    options: dict[str, Any] = {"inbox_prefix": inbox_prefix(name)}
    if secret := seed(settings):
        options["nkeys_seed_str"] = secret
    if (context := tls_context(settings)) is not None:
        # The server's greeting, which could be forged to do without TLS, comes only after the handshake.
        options |= {"tls": context, "tls_handshake_first": True}
    return options
