"""Situations of the invented law."""

from collections.abc import Callable

import pytest

from lovsvar_agent.core.guidance.situations import Situation, parse_situations

ENTRY = """
[[situation]]
id = "{id}"
title = {{nb = "Pantet holdes igjen", nn = "Pantet blir halde att", en = "Your security is withheld"}}
provisions = [{provisions}]
words = [{words}]
steps = {{nb = ["Be om pantet."], nn = ["Be om pantet på nynorsk."], en = ["Ask for it."]}}
deadline = {{provision = "{deadline}", ledd = 1, sentence = {sentence}, nb = "Meld fra innen ti dager", nn = "Meld frå innan ti dagar", en = "Report within ten days"}}
body = {{nb = "Båttilsynet", nn = "Båttilsynet", en = "Boat Authority", does = {{nb = "Hjelper", nn = "Hjelper", en = "Helps"}}, url = "https://www.example.no", phone = "11 11 11 11"}}
decides = {{nb = "Båtretten", nn = "Båtretten", en = "The boat court"}}
checked = 2026-11-24
"""  # noqa: E501

PLEDGE = "lov/2999-01-01-1/§3-2"
DAMAGE = "lov/2999-01-01-1/§4-1"

MakeSituation = Callable[..., str]


@pytest.fixture
def entry() -> MakeSituation:
    """Return an entry of the file, with what is given in place of its own."""

    def make(**fields: str) -> str:
        own = {"id": "withheld", "provisions": f'"{PLEDGE}"', "words": '"pant", "får ikke pantet tilbake"'}
        return ENTRY.format(**{**own, "deadline": DAMAGE, "sentence": "1", **fields})

    return make


@pytest.fixture
def situation(entry: MakeSituation) -> Situation:
    (one,) = parse_situations(entry())
    return one
