"""What is asked for by the words of a question, and the sentences of every language."""

import pytest

from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.queries import is_asked_for, suggestions, variants
from lovsvar_contracts.law import LawType


def test_every_language_has_every_sentence() -> None:
    for wording in WORDINGS.values():
        sentences = [v for v in vars(wording).values() if isinstance(v, str)]
        assert all(sentences)
    assert len({w.not_found for w in WORDINGS.values()}) == len(WORDINGS)


def test_variants_are_different_and_the_models_own_come_first() -> None:
    found = variants("Hvor mye kan båteieren kreve i pant når båten er skadet?", ["pant båt", "pant båt"], 4)
    assert found[0] == "pant båt"
    assert len(set(found)) == len(found) == 4


def test_a_question_without_content_words_still_gives_a_query() -> None:
    assert variants("Hva er det?", [], 3)


def test_suggestions_are_words_of_the_question_and_none_of_a_foreign_one() -> None:
    assert "depositum" in " ".join(suggestions("Hvor mye kan utleier kreve i depositum?"))
    assert suggestions("How much can the landlord demand?") == ()


@pytest.mark.parametrize(
    ("wanted", "question", "asked"),
    [
        (LawType.FORSKRIFT, "Hva sier forskriften om pant?", True),
        (LawType.FORSKRIFT, "Hva sier båtforskrifta?", True),
        (LawType.FORSKRIFT, "Hvor mye pant?", False),
        (LawType.LOV, "Hva sier båtleieloven?", True),
        ("Båtdepartementet", "Hva har Båtdepartementet bestemt?", True),
        ("Finansdepartementet", "Hva har Båtdepartementet bestemt?", False),
    ],
)
def test_a_filter_is_asked_for_when_the_question_names_it(wanted, question: str, asked: bool) -> None:
    assert is_asked_for(wanted, question) is asked
