"""The text of drafts: Markdown, placeholders, citations and templates."""

from dataclasses import replace

import pytest

from lovsvar_cases.adapters.sample_case import LANDLORD, MEANINGS, TENANT
from lovsvar_cases.adapters.template_files import read_templates
from lovsvar_cases.adapters.written_law import DEPOSIT, HUSLL, WrittenLaw, provision
from lovsvar_cases.core.drafts.blocks import parsed, texts
from lovsvar_cases.core.drafts.citations import Checked, check, paragraphs_of, with_names
from lovsvar_cases.core.drafts.errors import DraftTooLarge, InvalidDraft, TemplateNotOffered, Unfilled, UnprovenSource
from lovsvar_cases.core.drafts.placeholders import filled
from lovsvar_cases.core.drafts.shelf import Shelf
from lovsvar_cases.core.drafts.templates import Template, digest_of, fill, read_template
from lovsvar_contracts.case_details import PartyContext
from lovsvar_contracts.case_drafts import DraftHead, Layout
from lovsvar_contracts.search import ProvisionRef

CONTEXTS = tuple(PartyContext(party_id=one.party_id, kind=one.kind, role=one.role) for one in (TENANT, LANDLORD))
TEMPLATES = read_templates()


async def checked_text(markdown: str, law: WrittenLaw) -> Checked:
    return await check(paragraphs_of(parsed(markdown), lambda text: text), law)


def shown(markdown: str) -> list[str]:
    return list(texts(filled(parsed(markdown), MEANINGS)))


def test_markdown_is_taken_apart_and_html_and_images_are_text() -> None:
    blocks = parsed("# A\n\n*b* **c** <b>d</b> ![e](f)\n\n- g\n  - h\n\n3. i\n\n> j\n\n|k|l|\n|-|-|\n|m|n|\n\n---\n")
    assert [one.kind for one in blocks] == ["heading", "paragraph", "bullets", "numbers", "quote", "table", "rule"]
    assert [(run.text, run.bold, run.italic) for run in blocks[1].runs[:3]] == [
        ("b", False, True), (" ", False, False), ("c", True, False),
    ]  # fmt: skip
    assert blocks[1].text == "b c <b>d</b> !e (f)"
    assert blocks[3].level == 3
    assert list(texts(blocks))[2:] == ["g", "h", "i", "j", "k", "l", "m", "n"]


def test_a_text_of_too_many_blocks_is_refused_and_a_deep_one_is_kept_flat() -> None:
    with pytest.raises(DraftTooLarge):
        parsed("a\n\n" * 2_001)
    assert list(texts(parsed("> " * 30 + "dypt\n" + "> " * 30 + "# også"))) == ["dypt", "også"]
    for deep in ("> " * 200 + "x", "> " * 50_000, "- " * 5_000 + "x", "[" * 50_000, "*a " * 20_000):
        try:
            assert list(texts(parsed(deep)))
        except DraftTooLarge:
            continue


def test_placeholders_stand_for_fields_names_and_numbers_and_values_are_no_markdown() -> None:
    assert shown("**{{party0.lastName}}**, {{ party1.name }}, {{telefon1}}") == [
        "Đorđe-Ŋilas Ștefan, Bolig #1 AS, 41 23 45 67"
    ]
    assert shown("{{party1.orgName}}") == ["Bolig #1 AS"]


@pytest.mark.parametrize(
    ("placeholder", "why"),
    [
        ("party7.lastName", "party7 er ingen part"),
        ("party0.phone", "feltet phone er tomt for party0"),
        ("party0.cnp", "har ikke feltet cnp"),
        ("party1.lastName", "har ikke feltet lastName"),
        ("navn9", "ingen plassholder"),
        ("", "ingen plassholder"),
        ("party0", "ingen plassholder"),
    ],
)
def test_a_placeholder_of_nothing_is_refused_by_its_name(placeholder: str, why: str) -> None:
    with pytest.raises(Unfilled) as caught:
        shown("Til {{" + placeholder + "}} og {{party0.lastName}}.")
    assert "{{" + placeholder + "}}" in str(caught.value)
    assert why in str(caught.value)
    assert "Đorđe" not in str(caught.value)


def test_all_placeholders_that_fail_are_named_at_once() -> None:
    with pytest.raises(Unfilled, match=r"party0\.phone.*party9\.name"):
        shown("{{party0.phone}}\n\n- {{party9.name}}")


async def test_every_provision_that_is_named_becomes_a_source_with_its_dates() -> None:
    law = WrittenLaw(provision(), provision("§9-8", "Protest."))
    checked = await checked_text(f"Etter husleieloven § 3-5.\n\nProtest [{HUSLL}/§9-8].", law)
    assert [(one.section, one.title, str(one.in_force_from), str(one.corpus_date)) for one in checked.sources] == [
        ("§9-8", "Husleieloven § 9-8 (Depositum)", "2000-01-01", "2026-04-30"),
        ("§3-5", "Husleieloven § 3-5 (Depositum)", "2000-01-01", "2026-04-30"),
    ][::-1]  # fmt: skip
    assert with_names(f"Protest [{HUSLL}/§ 9-8].", checked.sources) == "Protest Husleieloven § 9-8."


async def test_a_quote_that_stands_word_for_word_is_counted_also_in_the_next_paragraph() -> None:
    text = f"I husleieloven § 3-5 står:\n\n> «{DEPOSIT}»\n\nOg «skal settes på særskilt konto» [{HUSLL}/§3-5]."
    checked = await checked_text(text, WrittenLaw(provision()))
    assert checked.unverified == ()
    assert [one.quotes for one in checked.sources] == [2]


async def test_a_false_quote_with_its_place_refuses_the_draft() -> None:
    with pytest.raises(UnprovenSource, match="skal settes på utleiers konto"):
        await checked_text(f"«skal settes på utleiers konto» [{HUSLL}/§3-5]", WrittenLaw(provision()))


async def test_a_quote_beside_law_that_is_not_found_there_is_marked_and_a_term_is_not() -> None:
    text = "Etter husleieloven § 3-5 er «depositum» penger. Du skrev «du får ikke en eneste krone»."
    checked = await checked_text(text, WrittenLaw(provision()))
    assert checked.unverified == ("du får ikke en eneste krone",)
    assert (await checked_text("Du skrev «du får ikke en eneste krone».", WrittenLaw())).unverified == ()


async def test_law_that_there_is_not_refuses_the_draft() -> None:
    with pytest.raises(UnprovenSource, match="§99"):
        await checked_text(f"Jf. [{HUSLL}/§99].", WrittenLaw(provision()))
    with pytest.raises(UnprovenSource, match="ikke paragrafen"):
        await checked_text("Jf. husleieloven § 99.", WrittenLaw(names={"husleieloven § 99": None}))


async def test_long_paragraphs_are_resolved_in_pieces_and_texts_without_law_are_not_asked_about() -> None:
    law = WrittenLaw(provision())
    await checked_text("Ord uten lov. " * 100 + "husleieloven § 3-5. " + "Mer tekst. " * 200, law)
    assert len(law.asked) == 1
    assert all(len(text) <= 500 for text in law.asked)


def sample(template: Template) -> dict[str, str]:
    return {one.name: f"verdi for {one.name}" for one in template.fields}


def test_there_are_templates_for_what_people_need() -> None:
    assert len(TEMPLATES) >= 40
    assert {one.layout for one in TEMPLATES.values()} == set(Layout)
    assert all(one.provisions and all(one.provisions.values()) for one in TEMPLATES.values())


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_a_template_makes_a_text_of_a_sample_case_with_and_without_what_is_optional(template: Template) -> None:
    made = fill(template, sample(template), CONTEXTS, None)
    text = "\n".join(shown(made.markdown))
    assert all(f"verdi for {one.name}" in text for one in template.fields)
    required = {one.name: "noe" for one in template.fields if not one.optional}
    less = "\n".join(shown(fill(template, required, CONTEXTS, None).markdown))
    assert "{{" not in less
    assert made.head.sender == "party0"
    assert (made.head.recipient, bool(made.head.recipient_lines)) == (
        ("party1", False) if template.to_party else (None, True)
    )


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_a_template_names_in_its_text_the_provisions_that_it_rests_on(template: Template) -> None:
    for ref in template.provisions:
        number = ref.section.removeprefix("§").removeprefix("gdpr/a")
        plain = template.body.casefold().replace("§ ", "§").replace(" a-", "a-")
        assert f"§{number}" in plain or f"artikkel {number}" in plain, ref.section


def test_a_template_refuses_by_name_what_is_not_given_and_what_it_does_not_know() -> None:
    template = TEMPLATES["krav-depositum"]
    with pytest.raises(Unfilled, match=r"\{\{belop\}\}: Hvor stort") as caught:
        fill(template, {"adresse": "x", "flyttet": "y"}, CONTEXTS, None)
    assert "{{frist}}" in str(caught.value)
    with pytest.raises(InvalidDraft, match="ukjent"):
        fill(template, {"ukjent": "x"}, CONTEXTS, None)
    with pytest.raises(Unfilled, match="saken mangler parten «fullmektig»"):
        fill(TEMPLATES["fullmakt"], sample(TEMPLATES["fullmakt"]), CONTEXTS[:1], None)


def test_roles_say_who_writes_to_whom_and_a_person_can_say_otherwise() -> None:
    template = TEMPLATES["krav-depositum"]
    turned = (
        CONTEXTS[1].model_copy(update={"party_id": "party0"}),
        CONTEXTS[0].model_copy(update={"party_id": "party1"}),
    )
    head = fill(template, sample(template), turned, None).head
    assert (head.sender, head.recipient) == ("party1", "party0")
    given = fill(template, sample(template), turned, DraftHead(sender="party0", recipient="party1")).head
    assert (given.sender, given.recipient) == ("party0", "party1")


def test_what_a_person_fills_in_is_text_and_long_answers_keep_their_paragraphs() -> None:
    template = TEMPLATES["klage-enkeltvedtak"]
    values = sample(template) | {"begrunnelse": "1. mai ringte jeg.\n\n# *Ingen* svarte", "vedtaket": "a\n\n- b"}
    found = shown(fill(template, values, CONTEXTS, None).markdown)
    assert "1. mai ringte jeg." in found
    assert "# *Ingen* svarte" in found
    assert any("a - b" in text for text in found)


async def test_templates_are_offered_withdrawn_or_not_yet_verified_by_the_law() -> None:
    ref = ProvisionRef(refid=HUSLL, section="§3-5")
    template = replace(TEMPLATES["krav-depositum"], provisions={ref: digest_of(DEPOSIT)})
    shelf = Shelf({template.template_id: template})
    with pytest.raises(TemplateNotOffered, match="ikke kontrollert"):
        shelf.offered("krav-depositum")
    assert await shelf.verify(WrittenLaw(provision(text=DEPOSIT.replace(" ", "\n ")))) == 0
    assert shelf.offered("krav-depositum") is template
    assert await shelf.verify(WrittenLaw(provision(text="Ny tekst."))) == 1
    with pytest.raises(TemplateNotOffered, match="er endret"):
        shelf.offered("krav-depositum")
    await shelf.verify(WrittenLaw())
    assert (shelf.shown(None)[0].status, shelf.shown(None)[0].markdown) == ("withdrawn", "")
    assert "finnes ikke" in shelf.shown("krav-depositum")[0].reason


def test_a_template_whose_fields_are_not_described_is_no_template() -> None:
    titles = 'id = "x"\nnb = "x"\nnn = "x"\nen = "x"\n'
    front = f'+++\n{titles}tier = 1\nlayout = "letter"\nsender = "a"\nto = "b"\n[provisions]\n+++\n'
    with pytest.raises(ValueError, match="ukjent"):
        read_template(front + "{{ukjent}}")
