"""Settings of the gateway service."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from lovsvar_chassis.setting_types import CommaSeparated, NoneIfEmpty
from lovsvar_chassis.settings import ServiceSettings


def _without_slashes(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.rstrip("/") for name in names)


Names = Annotated[CommaSeparated, AfterValidator(_without_slashes)]


class Settings(ServiceSettings):
    """Read once at start. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = Field(
        default=8080, ge=0, le=65_535, description="0 takes a free one; the log line 'listening' says which."
    )
    heartbeat: float = Field(default=10.0, gt=0, description="Between the heartbeats of an event stream.")
    slow_reader: float = Field(
        default=20.0, gt=0, description="How long a client may leave unread what an event stream has sent it."
    )
    request_timeout: float = Field(default=10.0, gt=0, description="How long another service may take to answer.")
    asked_at_once: int = Field(
        default=64, ge=1, le=10_000, description="How many requests of all clients a service behind is asked at a time."
    )
    request_seconds: float = Field(
        default=30.0, gt=0, description="How long a request may take until its answer begins, its body included."
    )
    queue_seconds: float = Field(
        default=120.0, gt=0, description="How long a question may have to wait for an agent; more are refused."
    )
    queue_length: int = Field(default=500, ge=1, le=5_000, description="Questions that may wait for an agent.")
    queue_per_caller: int = Field(
        default=20,
        ge=1,
        le=5_000,
        description="Questions in the queue of one key that sets nothing else, or without keys of one address.",
    )
    question_seconds: float = Field(
        default=900.0, gt=0, description="How long a question stands until an agent begins; it is then closed."
    )
    api_keys_file: NoneIfEmpty[Path] = Field(
        default=None, description="Keys, made by `lovsvar keys`; with it, everything but health needs one."
    )
    without_keys: bool = Field(
        default=False,
        description="Listen also where others reach the gateway though there are no keys; see `allowed_hosts`.",
    )
    allowed_hosts: Names = Field(
        default=(),
        description="Names that the gateway answers to beside those of this machine, parted by commas: lov.example.no",
    )
    cors_origins: Names = Field(
        default=(), description="Origins whose pages may call the gateway, parted by commas: https://lov.example.no"
    )
    audit: Literal["on", "hashed", "off"] = Field(
        default="on", description="Whether is stored who asked what and was shown which sources."
    )
    audit_days: int = Field(default=90, ge=1, le=3650, description="How long that is kept.")
    audit_required: bool = Field(
        default=False,
        description="Show nothing that cannot be written down at once. Else it is shown, and written down later.",
    )
    audit_secret: NoneIfEmpty[SecretStr] = Field(
        default=None, description="Keys the hashes of questions, which could else be found by guessing."
    )
