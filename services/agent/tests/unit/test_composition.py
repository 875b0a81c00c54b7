"""An answer by quotes as blocks, and what they are rendered to."""

import re

import pytest

from lovsvar_agent.core import composing
from lovsvar_agent.core.composing import Content, Quoted, compose, did_you_mean
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.html import HtmlRenderer
from lovsvar_rendering.text import TextRenderer

LINK = re.compile(r'<a href="([^"]*)"')


def evidence(**fields: object) -> Evidence:
    return Evidence.model_validate(
        {
            "evidence_id": "lovdata-1",
            "refid": "lov/2999-01-01-1",
            "section": "§3-2",
            "title": "§ 3-2. Pant",
            "act": "Båtleieloven – båtl",
            "in_force": InForce.YES,
            "url": "/lov/2999-01-01-1#§3-2",
            "lovdata_url": "https://lovdata.no/lov/2999-01-01-1/%C2%A73-2",
            **fields,
        }
    )


def citation(number: int, quote: str) -> Citation:
    source = evidence()
    return Citation(
        number=number,
        evidence_id=source.evidence_id,
        refid="lov/2999-01-01-1",
        section="§3-2",
        title="x",
        url=source.url,
        lovdata_url=source.lovdata_url,
        quote=quote,
        verified=True,
        in_force=InForce.YES,
    )


def content(*quotes: str, source: Evidence | None = None, **fields: object) -> Content:
    cited = tuple(citation(n, quote) for n, quote in enumerate(quotes, start=1))
    quoted = (Quoted(source or evidence(), cited),) if quotes else ()
    return Content(**{"quoted": quoted, "remarks": (), "suggestions": (), "sample": False, **fields})  # type: ignore[arg-type]


def text_of(content: Content) -> str:
    return TextRenderer(content.citations, [evidence()]).render(compose(content))


def html_of(content: Content) -> str:
    return HtmlRenderer(content.citations, [evidence()]).render(compose(content))


def test_each_provision_is_introduced_and_each_quote_numbered() -> None:
    text = text_of(content("Pantet er høyst fire ukers leie.", "Det settes på konto."))
    assert text.split("\n\n") == [
        "Båtleieloven § 3-2 (Pant) sier:",
        "«Pantet er høyst fire ukers leie.» [1]",
        "«Det settes på konto.» [2]",
        "Svaret er sitater fra loven, uten språkmodell.",
    ]


def test_html_says_the_same_and_links_the_provision() -> None:
    html = html_of(content("Pantet er høyst fire ukers leie."))
    assert LINK.findall(html) == ["/lov/2999-01-01-1#§3-2"]
    assert "Pantet er høyst fire ukers leie." in html
    assert re.sub(r"<[^>]+>", "", html).startswith("Båtleieloven § 3-2 (Pant) sier:")


def test_a_quoted_list_keeps_its_items_apart() -> None:
    html = html_of(content("Eieren kan nekte når\na. det er natt\nb. det regner"))
    assert "<p>Eieren kan nekte når</p><ul><li>a. det er natt</li><li>b. det regner</li></ul>" in html


def test_markup_in_a_quote_is_text() -> None:
    html = html_of(content('<script>alert(1)</script><a href="https://evil.example">x</a>'))
    assert "<script" not in html
    assert "evil.example" in html
    assert LINK.findall(html) == ["/lov/2999-01-01-1#§3-2"]


@pytest.mark.parametrize(
    ("in_force", "said"),
    [(InForce.NOT_YET, "ikke har trådt i kraft"), (InForce.REPEALED, "er opphevet")],
)
def test_a_provision_that_is_not_in_force_is_said_to_be_so(in_force: InForce, said: str) -> None:
    composed = content("Pant.", source=evidence(in_force=in_force))
    assert said in text_of(composed)
    assert said in html_of(composed)


def test_an_answer_that_rests_on_samples_begins_by_saying_so() -> None:
    composed = content("Pant.", sample=True, remarks=("Fant ikke § 9 i båtleieloven.",))
    assert text_of(composed).startswith(composing.SAMPLE_NOTICE)
    assert html_of(composed).startswith(f"<p><strong>{composing.SAMPLE_NOTICE}")


def test_what_was_not_found_is_said_before_the_quotes() -> None:
    text = text_of(content("Pant.", remarks=("Fant ikke § 9 i båtleieloven.",)))
    assert text.startswith("Fant ikke § 9 i båtleieloven.\n\nBåtleieloven § 3-2")


def test_without_a_quote_it_says_so_and_suggests() -> None:
    composed = content(suggestions=(evidence(),))
    assert text_of(composed).startswith(composing.NOTHING_FITS)
    assert "- Båtleieloven § 3-2 (Pant)" in text_of(composed)
    assert LINK.findall(html_of(composed)) == ["/lov/2999-01-01-1#§3-2"]


def test_without_a_quote_and_without_suggestions_it_suggests_nothing() -> None:
    assert composing.NEAREST not in text_of(content())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), ""),
        (("pant",), "Mente du «pant»?"),
        (("pant", "båt"), "Mente du «pant» eller «båt»?"),
        (("pant", "båt", "fest"), "Mente du «pant», «båt» eller «fest»?"),
    ],
)
def test_words_that_may_be_meant_are_asked_about(words: tuple[str, ...], said: str) -> None:
    assert did_you_mean(words) == said
