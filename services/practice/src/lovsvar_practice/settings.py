"""Settings of the practice service."""

from typing import Annotated

from pydantic import AnyHttpUrl, Field, SecretStr, StringConstraints, field_validator
from pydantic_settings import NoDecode

from lovsvar_chassis.settings import ServiceSettings

PracticePath = Annotated[str, StringConstraints(pattern=r'^/[^\s()"%\\]+/$')]


class Settings(ServiceSettings):
    """Read once at start."""

    serper_api_key: SecretStr | None = Field(default=None, validation_alias="SERPER_API_KEY")
    serper_url: AnyHttpUrl = Field(
        default=AnyHttpUrl("https://google.serper.dev"), description="Serper's base address."
    )
    practice_paths: Annotated[tuple[PracticePath, ...], NoDecode] = Field(
        default=("/avgjørelser/", "/lovtidend/", "/husleietvistutvalget/", "/trygderetten/", "/sph2025/"),
        min_length=1,
        description="Parts of lovdata.no that hold practice, each between slashes, with commas between them.",
    )

    @field_validator("serper_api_key", mode="after")
    @classmethod
    def empty_key_is_none(cls, key: SecretStr | None) -> SecretStr | None:
        """Take an empty key for none, since compose files pass unset variables on as empty ones."""
        return key if key and key.get_secret_value().strip() else None

    @field_validator("practice_paths", mode="before")
    @classmethod
    def split_at_commas(cls, value: object) -> object:
        """Read the paths as the environment writes them."""
        return tuple(part.strip() for part in value.split(",")) if isinstance(value, str) else value
