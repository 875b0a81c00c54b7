"""The published tokenizer that estimates of tokens are held against."""

from typing import Any


def published_tokenizer() -> Any:
    """Return OpenAI's `o200k_base`."""
    # Takes a second of a processor to import, which each process that collects tests would spend.
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")
