"""Settings of the cases service."""

import base64
import binascii
from pathlib import Path
from typing import Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import SettingsConfigDict

from lovsvar_cases.core.files.limits import Limits
from lovsvar_chassis.setting_types import NoneIfEmpty
from lovsvar_chassis.settings import DatabaseSettings

KEY_BYTES = 32


class Settings(DatabaseSettings):
    """Read once at start."""

    # An error must not show a key.
    model_config = SettingsConfigDict(hide_input_in_errors=True)

    cases_master_key: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="32 random bytes in base64 that wrap the keys of all cases; without it there are none.",
    )
    cases_master_key_file: NoneIfEmpty[Path] = Field(default=None, description="A file that holds the same instead.")
    cases_other_master_keys: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="Master keys that open what they wrapped, while another takes their place; with spaces between.",
    )
    cases_other_master_keys_file: NoneIfEmpty[Path] = Field(
        default=None, description="A file that holds the same; none once it is deleted."
    )
    cases_credits: str = Field(
        default="",
        pattern=r"^(\d{1,6},\d{1,6},\d{1,6})?$",
        description="Cases of tier 1, 2 and 3 that who has no subscription gets a month: `2,1,0`. Empty for no limit.",
    )
    cases_webhook_secret: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="The secret that a payment provider signs webhooks with (Standard Webhooks, `whsec_…`).",
    )
    cases_sql_password: NoneIfEmpty[SecretStr] = Field(
        default=None,
        description="The password of lovsvar_sql, the role of a model's queries; none where PostgreSQL asks for none.",
    )
    cases_retention_days: int = Field(
        default=0, ge=0, le=36_500, description="Days after which a closed case is erased; 0 for never."
    )

    cases_document_size: int = Field(
        default=20 * 2**20, ge=1_024, le=200 * 2**20, description="Bytes of a document that is handed in."
    )
    cases_document_pages: int = Field(default=200, ge=1, le=2_000, description="Pages of one.")
    cases_document_seconds: float = Field(
        default=120.0, gt=0, le=3_600, description="How long reading one may take, OCR included."
    )
    cases_document_memory: int = Field(
        default=2 * 2**30, ge=256 * 2**20, description="Bytes of address space of the process that reads one."
    )
    cases_documents_at_once: int = Field(default=1, ge=1, le=16, description="Documents read at the same time.")

    @model_validator(mode="after")
    def keys_are_keys(self) -> Self:
        """Fail at the start for a master key that is none."""
        self.master_key()
        self.other_master_keys()
        return self

    def master_key(self) -> bytes | None:
        """Return the master key, None where none is set. Raises `ValueError` and `OSError`."""
        written = _written(self.cases_master_key, self.cases_master_key_file)
        return None if written is None else _key(written.strip())

    def other_master_keys(self) -> tuple[bytes, ...]:
        """Return the master keys that open what they wrapped. Raises `ValueError` and `OSError`."""
        file = self.cases_other_master_keys_file
        # It is deleted when no case needs it, while a service that may be started again still has its name.
        written = _written(self.cases_other_master_keys, file if file and file.exists() else None)
        return tuple(map(_key, (written or "").split()))

    @property
    def document_limits(self) -> Limits:
        """The limits of a document."""
        return Limits(
            size=self.cases_document_size,
            pages=self.cases_document_pages,
            seconds=self.cases_document_seconds,
            memory=self.cases_document_memory,
        )

    @property
    def monthly_credits(self) -> tuple[int, ...] | None:
        """The cases of each tier that who has no subscription gets a month; None for no limit."""
        return tuple(map(int, self.cases_credits.split(","))) if self.cases_credits else None


def _written(secret: SecretStr | None, file: Path | None) -> str | None:
    if secret is not None:
        return secret.get_secret_value()
    return None if file is None else file.read_text(encoding="ascii")


def _key(written: str) -> bytes:
    try:
        key = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError("a master key of cases is not 32 bytes in base64")
    return key
