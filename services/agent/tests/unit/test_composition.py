"""An answer by quotes as blocks, and what they are rendered to."""

import re
from datetime import date

import pytest

from lovsvar_agent.core.answer_parts import did_you_mean
from lovsvar_agent.core.extractive.composition import Content, Quoted, compose
from lovsvar_agent.core.extractive.excerpts import Excerpt
from lovsvar_agent.core.extractive.phrases import PHRASES, quoted_list
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_contracts.blocks import (
    Choice,
    Choices,
    Contact,
    Emergency,
    Explanation,
    Heading,
    Paragraph,
    Quote,
    Remark,
    RemarkRole,
    Situation,
    Span,
    Suggestions,
    plain,
)
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Evidence, Tier
from lovsvar_legaltext.authorities import SourceType
from lovsvar_rendering.html import HtmlRenderer
from lovsvar_rendering.text import TextRenderer
from lovsvar_testkit.answers import make_citation, make_evidence

LINK = re.compile(r'<a href="([^"]*)"')
PAWN = make_evidence(2)
DAMAGE = make_evidence(3, title="§ 3-3. Skader")
LANGUAGES = ("nb", "nn", "en")

EMERGENCY = Emergency(title="Ring 113", contacts=(Contact(name="Ambulanse", phone="113"),))
SITUATION = Situation(id="pant", title="Får du ikke pantet?", steps=("Skriv til eieren.",), checked=date(2999, 1, 1))
EXPLAINED = Explanation(label="Forklart", evidence_id="lovdata-2", ledd=(1,), words=plain("Høyst fire uker."))


def quoted(
    *quotes: str, source: Evidence = PAWN, first: int = 1, why: str = "", answers: bool = True, **more
) -> Quoted:
    cited = tuple(
        (make_citation(n, quote, source), Excerpt(0, len(quote), quote)) for n, quote in enumerate(quotes, first)
    )
    return Quoted(source, cited, why, answers, **more)


def content(*found: Quoted, language: str = "nb", tier: Tier | None = None, **fields: object) -> Content:
    tier = tier or (Tier.ANSWERS if any(q.answers for q in found) else Tier.RELATED if found else Tier.NOTHING)
    given = {"language": language, "tier": tier, "quoted": found, "remarks": (), "suggestions": ()}
    return Content(**{**given, **fields})  # type: ignore[arg-type]


def text_of(content: Content) -> str:
    return TextRenderer(content.citations, [PAWN, DAMAGE]).render(compose(content))


def html_of(content: Content) -> str:
    return HtmlRenderer(content.citations, [PAWN, DAMAGE]).render(compose(content))


def test_the_tier_is_said_each_provision_introduced_and_each_quote_numbered() -> None:
    text = text_of(content(quoted("Pantet er høyst fire ukers leie.", "Det settes på konto.", why="Gir tallet")))
    assert text.split("\n\n") == [
        "Svarer på spørsmålet",
        "Båtleieloven § 3-2 (Pant) – Gir tallet",
        "«Pantet er høyst fire ukers leie.» [1]",
        "«Det settes på konto.» [2]",
        "Svaret er ordrette sitater fra loven, uten språkmodell.",
    ]


def test_html_says_the_same_and_links_the_provision() -> None:
    html = html_of(content(quoted("Pantet er høyst fire ukers leie.")))
    assert LINK.findall(html) == ["/lov/2999-01-01-1#§3-2"]
    assert "Pantet er høyst fire ukers leie." in html
    assert re.sub(r"<[^>]+>", " ", html).split()[:6] == ["Svarer", "på", "spørsmålet", "Båtleieloven", "§", "3-2"]


def test_a_provision_without_a_reason_is_introduced_by_its_name() -> None:
    assert compose(content(quoted("Pant.")))[1] == Paragraph(
        words=(Span(text="Båtleieloven § 3-2 (Pant)", evidence_id="lovdata-2", strong=True),)
    )


def test_a_quoted_list_keeps_its_items_apart() -> None:
    html = html_of(content(quoted("Eieren kan nekte når\na. det er natt\nb. det regner")))
    assert "<p>Eieren kan nekte når</p><ul><li>a. det er natt</li><li>b. det regner</li></ul>" in html


def test_markup_in_a_quote_is_text() -> None:
    html = html_of(content(quoted('<script>alert(1)</script><a href="https://evil.example">x</a>')))
    assert "<script" not in html
    assert "evil.example" in html
    assert LINK.findall(html) == ["/lov/2999-01-01-1#§3-2"]


def test_a_quote_carries_its_marks_and_where_it_is_cut() -> None:
    excerpt = Excerpt(10, 15, "Pant.", cut_before=True, cut_after=True, marks=((0, 4),))
    found = Quoted(PAWN, ((make_citation(1, "Pant.", PAWN), excerpt),), "", answers=True)
    assert Quote(citation=1, marks=((0, 4),), cut_before=True, cut_after=True) in compose(content(found))
    assert "«… Pant. …» [1]" in text_of(content(found))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("in_force", [InForce.NOT_YET, InForce.REPEALED])
def test_a_provision_that_is_not_in_force_is_said_to_be_so_before_its_quote(in_force: InForce, language: str) -> None:
    source = make_evidence(2, in_force=in_force)
    composed = content(quoted("Pantet.", source=source, why="Gir tallet"), language=language)
    said = PHRASES[language].in_force[in_force]
    assert f"Båtleieloven § 3-2 (Pant) – {said}. Gir tallet\n\n«Pantet.»" in text_of(composed)
    assert said in html_of(composed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_that_rests_on_samples_begins_by_saying_so(language: str) -> None:
    composed = content(quoted("Pant."), language=language, sample=True, remarks=("Fant ikke § 9.",))
    assert text_of(composed).startswith(f"{WORDINGS[language].sample}\n\nFant ikke § 9.")
    assert html_of(composed).startswith("<p><strong>")
    assert compose(composed)[0] == Remark(role=RemarkRole.SAMPLE, words=plain(WORDINGS[language].sample))


def test_what_was_not_found_is_said_before_the_quotes() -> None:
    text = text_of(content(quoted("Pant."), remarks=("Fant ikke § 9 i båtleieloven.",)))
    assert text.startswith("Fant ikke § 9 i båtleieloven.\n\nSvarer på spørsmålet\n\nBåtleieloven § 3-2")


# The order of blocks


def kinds(content: Content) -> list[str]:
    return [block.kind for block in compose(content)]


ALSO = quoted("Skader meldes.", source=DAMAGE, first=2, answers=False)
AROUND = {
    "remarks": ("Merk.",),
    "sample": True,
    "emergency": EMERGENCY,
    "situation": SITUATION,
    "meant": (("Båt", "Om båt?"), ("Bil", "Om bil?")),
    "follow_ups": ("Hva koster det?",),
}


def test_danger_comes_first_and_what_to_do_next_before_what_may_also_be_relevant() -> None:
    assert kinds(content(quoted("Pant.", explanation=EXPLAINED), ALSO, **AROUND)) == [
        "emergency",
        *("remark", "remark", "choices"),
        *("heading", "paragraph", "quote", "explanation"),
        "situation",
        *("heading", "paragraph", "quote"),
        *("choices", "remark"),
    ]


def test_where_nothing_surely_answers_what_to_do_next_comes_after_what_may_be_relevant() -> None:
    assert kinds(content(ALSO, **AROUND)) == [
        "emergency",
        *("remark", "remark", "choices"),
        *("heading", "paragraph", "quote"),
        "situation",
        *("choices", "remark"),
    ]


def test_where_nothing_is_found_it_says_what_was_searched_and_what_to_do_next() -> None:
    assert kinds(content(suggestions=(PAWN,), **AROUND)) == [
        "emergency",
        *("remark", "remark", "choices", "heading"),
        "situation",
        *("remark", "suggestions"),
        *("choices", "remark"),
    ]


def test_what_may_also_be_relevant_is_set_apart_from_what_answers() -> None:
    blocks = compose(content(quoted("Pant."), ALSO))
    headings = [block.words[0].text for block in blocks if isinstance(block, Heading)]
    assert headings == ["Svarer på spørsmålet", "Kan også være relevant"]
    assert [block.citation for block in blocks if isinstance(block, Quote)] == [1, 2]
    assert content(quoted("Pant."), ALSO).citations == (
        make_citation(1, "Pant.", PAWN),
        make_citation(2, "Skader meldes.", DAMAGE),
    )


def test_a_question_that_may_mean_several_things_is_narrowed_by_a_choice_and_followed_up_by_others() -> None:
    choices = [b for b in compose(content(quoted("Pant."), **AROUND)) if isinstance(b, Choices)]
    assert choices == [
        Choices(
            title="Hvilken mener du?",
            choices=(Choice(label="Båt", question="Om båt?"), Choice(label="Bil", question="Om bil?")),
            narrows=True,
        ),
        Choices(title="Spør videre", choices=(Choice(label="Hva koster det?", question="Hva koster det?"),)),
    ]


def test_those_to_whom_a_special_act_applies_can_narrow_the_question() -> None:
    for language in LANGUAGES:
        narrowed = content(quoted("Pant."), language=language, narrower=(("Ansatte", "Og ansatte?"),))
        (choices,) = [b for b in compose(narrowed) if isinstance(b, Choices)]
        assert (choices.title, choices.narrows) == (PHRASES[language].applies_to, True)
        assert choices.choices == (Choice(label="Ansatte", question="Og ansatte?"),)


def test_the_citation_of_a_deadline_comes_after_those_of_the_quotes() -> None:
    proof = make_citation(3, "Fristen er én uke.", DAMAGE)
    assert content(quoted("Pant."), ALSO, situation=SITUATION, proof=proof).citations[2] == proof
    assert Quote(citation=3) not in compose(content(quoted("Pant."), ALSO, situation=SITUATION, proof=proof))


def test_without_choices_none_are_offered() -> None:
    assert "choices" not in kinds(content(quoted("Pant.")))


# Without a quote


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_quote_it_says_so_and_what_was_searched_and_suggests(language: str) -> None:
    composed = content(language=language, suggestions=(PAWN,))
    phrases = PHRASES[language]
    assert text_of(composed).split("\n\n") == [
        phrases.tiers[Tier.NOTHING],
        phrases.nothing_hint,
        phrases.nearest,
        "- Båtleieloven § 3-2 (Pant)",
        phrases.quotes_only,
    ]
    assert LINK.findall(html_of(composed)) == ["/lov/2999-01-01-1#§3-2"]


def test_without_a_quote_and_without_suggestions_it_suggests_nothing() -> None:
    assert PHRASES["nb"].nearest not in text_of(content())
    assert not any(isinstance(block, Suggestions) for block in compose(content()))


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("has_model", [True, False])
def test_an_answer_speaks_the_questions_language(language: str, has_model: bool) -> None:
    phrases = PHRASES[language]
    text = text_of(content(quoted("Pant."), ALSO, language=language, has_model=has_model, follow_ups=("Og så?",)))
    ends = phrases.quotes_only if has_model else phrases.no_model
    for said in (phrases.tiers[Tier.ANSWERS], phrases.also_related, phrases.follow_ups, ends):
        assert said in text.split("\n\n")
    assert phrases.tiers[Tier.RELATED] in text_of(content(ALSO, language=language))


def test_each_language_has_all_words_of_its_own() -> None:
    for name in ("tiers", "in_force", "source_types"):
        said = [getattr(PHRASES[language], name) for language in LANGUAGES]
        assert set(said[0]) == set(said[1]) == set(said[2])
        assert all(all(words.values()) for words in said)
    assert set(PHRASES["nb"].tiers) == set(Tier)
    assert set(PHRASES["nb"].source_types) == set(SourceType)
    for name in (
        "nothing_hint",
        "nearest",
        "no_model",
        "section_missing",
        "not_searched",
        "quote_missing",
        "which_one",
    ):
        assert len({getattr(PHRASES[language], name) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nb", "Fant ikke § 9 i båtleieloven. Nærmest er § 7, § 8."),
        ("nn", "Fann ikkje § 9 i båtleieloven. Nærmast er § 7, § 8."),
        ("en", "There is no section 9 in båtleieloven. The nearest are § 7, § 8."),
    ],
)
def test_a_reference_to_nothing_is_said_with_what_is_nearest(language: str, said: str) -> None:
    assert PHRASES[language].not_found("9", "båtleieloven", ["§ 7", "§ 8"]) == said
    assert PHRASES[language].not_found("9", "båtleieloven", []) == said.partition(". ")[0] + "."


def test_an_act_that_does_not_exist_is_said_to_be_missing() -> None:
    assert PHRASES["nb"].not_found("", "flåteloven", []) == "Fant ingen lov eller forskrift som heter flåteloven."


@pytest.mark.parametrize(
    ("words", "language", "said"),
    [
        ((), "nb", ""),
        (("pant",), "nb", "«pant»"),
        (("pant", "båt"), "nn", "«pant» eller «båt»"),
        (("pant", "båt", "fest"), "en", "“pant”, “båt” or “fest”"),
    ],
)
def test_words_are_listed_in_quotation_marks(words: tuple[str, ...], language, said: str) -> None:
    assert quoted_list(words, language) == said


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
