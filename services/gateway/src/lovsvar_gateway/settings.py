"""Settings of the gateway service."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, StringConstraints, TypeAdapter

from lovsvar_chassis.setting_types import CommaSeparated, NoneIfEmpty
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.catalogues import CatalogueId

CATALOGUES = TypeAdapter(tuple[CatalogueId, ...])
PaymentPage = Annotated[str, StringConstraints(pattern=r"^https://[^\s{}]+(\{(case_id|tier)\}[^\s{}]*)*$")]
Names = Annotated[CommaSeparated, AfterValidator(lambda names: tuple(name.rstrip("/") for name in names))]


class Settings(ServiceSettings):
    """Read once at start. Times are in seconds, lists are separated by commas."""

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65_535, description="0 takes a free one and logs it as 'listening'.")
    heartbeat: float = Field(default=10.0, gt=0, description="Between the heartbeats of an event stream.")
    slow_reader: float = Field(default=20.0, gt=0, description="For a client to read what an event stream has sent it.")
    request_timeout: float = Field(default=10.0, gt=0, description="For another service to reply.")
    asked_at_once: int = Field(default=64, ge=1, le=10_000, description="Concurrent requests to each other service.")
    request_seconds: float = Field(default=30.0, gt=0, description="From a request's start until its response begins.")
    queue_seconds: float = Field(default=120.0, gt=0, description="Longest wait for an agent; more are refused.")
    queue_length: int = Field(default=500, ge=1, le=5_000, description="Questions that may wait for an agent.")
    queue_per_caller: int = Field(
        default=20, ge=1, le=5_000, description="Questions in the queue of a key without a limit, or of an address."
    )
    question_seconds: float = Field(default=900.0, gt=0, description="For an agent to begin, or it is closed.")
    api_keys_file: NoneIfEmpty[Path] = Field(
        default=None, description="Keys, made by `lovsvar keys`; with it, everything but health needs one."
    )
    without_keys: bool = Field(
        default=False, description="Listen also where others reach the gateway without keys; see `allowed_hosts`."
    )
    allowed_hosts: Names = Field(default=(), description="Host names it serves besides this machine's: lov.example.no")
    cors_origins: Names = Field(default=(), description="Origins whose pages may call it: https://lov.example.no")
    open_catalogues: NoneIfEmpty[Annotated[CommaSeparated, AfterValidator(CATALOGUES.validate_python)]] = Field(
        default=None, description="Catalogues that everybody sees where no keys are required; else all not private."
    )
    payment_page: NoneIfEmpty[PaymentPage] = Field(
        default=None, description="Where a case is paid for: https://betal.example.no/{case_id}?niva={tier}"
    )
    audit: Literal["on", "hashed", "off"] = Field(
        default="on", description="Whether to store who asked what and was shown which sources."
    )
    audit_days: int = Field(default=90, ge=1, le=3650, description="How long that is kept.")
    audit_required: bool = Field(
        default=False, description="Show nothing that cannot be recorded at once. Else the record is stored later."
    )
    audit_secret: NoneIfEmpty[SecretStr] = Field(
        default=None, description="Key of the hashes of questions, without which a guessed question can be confirmed."
    )
