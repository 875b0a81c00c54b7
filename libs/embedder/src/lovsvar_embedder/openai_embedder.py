"""Embedding by any server with OpenAI's API (`/v1/embeddings`).

The client takes a second and tens of megabytes to load, which a process that only names the model is spared.
"""

from collections.abc import Sequence

from pydantic import SecretStr

from lovsvar_embedder.embedder import Embedder, Vector
from lovsvar_embedder.errors import EmbedderUnavailable, TextRefused
from lovsvar_embedder.settings import EmbedderSettings
from lovsvar_embedder.similarity import UNMEASURED, SimilarityScales

TIMEOUT = 60.0
RETRIES = 3

REFUSALS = frozenset({400, 413, 422})
"""Statuses that concern the texts; others concern the server, the key or the rate."""


def model_name(settings: EmbedderSettings) -> str:
    """Return the name of the model that the server is asked for."""
    return settings.embedding_model


def make(settings: EmbedderSettings, *, one_at_a_time: bool) -> "OpenAIEmbedder":
    """Return the embedder that the settings describe."""
    url, scales = str(settings.embedding_url), settings.embedding_points or UNMEASURED
    return OpenAIEmbedder(url, settings.embedding_model, settings.openai_api_key, scales)


class OpenAIEmbedder(Embedder):
    """A client of one model. A component: start, stop. `url` is the base address, with `/v1`."""

    def __init__(self, url: str, model: str, key: SecretStr | None, scales: SimilarityScales = UNMEASURED) -> None:
        from openai import AsyncOpenAI

        self.model = model
        self.scales = scales
        self._client = AsyncOpenAI(
            base_url=url,
            api_key=key.get_secret_value() if key else "none",
            timeout=TIMEOUT,
            max_retries=RETRIES,
        )

    async def start(self) -> None:
        """Do nothing: the first request connects."""

    async def stop(self) -> None:
        await self._client.close()

    async def embed_passages(self, texts: Sequence[str]) -> Sequence[Vector]:
        from openai import APIError, APIStatusError

        try:
            reply = await self._client.embeddings.create(input=list(texts), model=self.model, encoding_format="float")
        except APIStatusError as exc:
            error = TextRefused if exc.status_code in REFUSALS else EmbedderUnavailable
            raise error(f"{exc.status_code}: {exc.message}") from exc
        except APIError as exc:
            raise EmbedderUnavailable(exc.message) from exc
        vectors = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
        if len(vectors) != len(texts):
            raise EmbedderUnavailable(f"{len(vectors)} vektorer for {len(texts)} tekster")
        return vectors

    async def embed_queries(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self.embed_passages(texts)
