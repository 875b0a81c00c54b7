"""Settings of the practice service."""

from pydantic import Field, SecretStr

from lovsvar_chassis.settings import ServiceSettings


class Settings(ServiceSettings):
    """Read once at start."""

    serper_api_key: SecretStr | None = Field(default=None, validation_alias="SERPER_API_KEY")
