"""Settings of the practice service."""

from typing import Annotated

from pydantic import AnyHttpUrl, Field, SecretStr, StringConstraints, field_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from lovsvar_chassis.settings import ServiceSettings

PracticePath = Annotated[str, StringConstraints(pattern=r'^/[^\s()"%\\]+/$')]


class Settings(ServiceSettings):
    """Read once at start."""

    # An error must not show the key.
    model_config = SettingsConfigDict(hide_input_in_errors=True)

    serper_api_key: SecretStr | None = Field(default=None, validation_alias="SERPER_API_KEY")
    serper_url: AnyHttpUrl = Field(
        default=AnyHttpUrl("https://google.serper.dev"), description="Serper's base address."
    )
    practice_paths: Annotated[tuple[PracticePath, ...], NoDecode] = Field(
        default=("/avgjørelser/", "/lovtidend/", "/husleietvistutvalget/", "/trygderetten/", "/sph2025/"),
        min_length=1,
        description="Parts of lovdata.no that hold practice, each between slashes, with commas between them.",
    )
    practice_daily_budget: int = Field(
        default=1_000, ge=0, description="Requests to Serper a day (UTC), over all replicas."
    )
    practice_breaker_failures: int = Field(
        default=5, ge=1, description="Failed searches in a row after which Serper gets none."
    )
    practice_breaker_seconds: float = Field(
        default=30.0, gt=0, allow_inf_nan=False, description="Seconds until it gets one again."
    )

    @field_validator("serper_api_key", mode="after")
    @classmethod
    def empty_key_is_none(cls, key: SecretStr | None) -> SecretStr | None:
        """Treat an empty key as none: compose files pass unset variables on as empty ones."""
        value = key.get_secret_value().strip() if key else ""
        # An HTTP client that cannot send a header shows it in its error.
        if not value.isascii() or not value.isprintable():
            raise ValueError("SERPER_API_KEY holds characters that no key has")
        return SecretStr(value) if value else None

    @field_validator("practice_paths", mode="before")
    @classmethod
    def split_at_commas(cls, value: object) -> object:
        """Read the paths as the environment writes them."""
        return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value
