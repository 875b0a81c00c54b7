"""What is set of the model."""

import pytest

from lovsvar_agent.adapters.providers import Provider
from lovsvar_agent.app import make_model
from lovsvar_agent.settings import Settings
from lovsvar_contracts.questions import Mode


def test_the_choice_of_words_and_the_provider_are_set_by_variables(monkeypatch) -> None:
    monkeypatch.setenv("LOVSVAR_MODEL_TEMPERATURE", "0.2")
    monkeypatch.setenv("LOVSVAR_MODEL_SEED", "7")
    monkeypatch.setenv("LOVSVAR_PROVIDER", "llama.cpp")
    settings = Settings(OPENAI_BASE_URL="http://127.0.0.1:1/v1")
    assert (settings.model_temperature, settings.model_seed) == (0.2, 7)
    assert make_model(settings).provider is Provider.LLAMA_CPP


def test_nothing_is_set_of_it_by_default(monkeypatch) -> None:
    monkeypatch.setenv("LOVSVAR_MODEL_SEED", "")
    settings = Settings()
    assert (settings.model_temperature, settings.model_seed, settings.provider) == (None, None, None)


@pytest.mark.parametrize(
    ("given", "mode"),
    [({}, Mode.EXTRACTIVE), ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, Mode.DIRECT)],
    ids=["no model", "a model that is not tried out yet"],
)
def test_auto_answers_at_once(given: dict, mode: Mode) -> None:
    settings = Settings(mode="auto", **given)
    assert settings.default_mode is mode
