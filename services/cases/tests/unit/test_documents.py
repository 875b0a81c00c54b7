"""Documents as files: all of the text is there, and nothing of it is code."""

import asyncio
import io
import zipfile

import docx
import pypdfium2
import pytest

from lovsvar_cases.adapters.document_press import DocumentPress
from lovsvar_cases.adapters.docx_documents import DocxDocuments
from lovsvar_cases.adapters.sample_case import MEANINGS, draft
from lovsvar_cases.adapters.template_files import read_templates
from lovsvar_cases.adapters.typst_documents import TypstDocuments
from lovsvar_cases.core.drafts.blocks import parsed
from lovsvar_cases.core.drafts.errors import DraftTooLarge, InvalidDraft
from lovsvar_cases.core.drafts.pages import Page, page_of
from lovsvar_cases.core.drafts.templates import Template, fill
from lovsvar_contracts.case_details import PartyContext
from lovsvar_contracts.case_drafts import DraftFormat, DraftHead, DraftSource, Layout

HOSTILE = """# Krav fra {{party0.lastName}}

#read("/etc/passwd") #import "@preview/x:1.0.0" $x^2$ <b>fet</b> \\#let x = 1 {{party1.name}} #{1+1} @ref ~ \\

- punkt 'en' og "to"

1. đ ŋ š ž ă ș ț Đ Ŋ Š Ž Ă Ș Ț á č ŧ

> sitat

| a | b |
|---|---|
| c | d |
"""
TEMPLATES = read_templates()
CONTEXTS = tuple(PartyContext(party_id=key, kind=one.kind, role=one.role) for key, one in MEANINGS.parties.items())


def page(markdown: str, layout: Layout = Layout.LETTER, **head: object) -> Page:
    given = {"layout": layout, "sender": "party0", "recipient": "party1", "place": "Deatnu", **head}
    made = draft(markdown, head=DraftHead.model_validate(given))
    return page_of(made, parsed(markdown), MEANINGS)


def pdf_text(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    return " ".join(" ".join(one.get_textpage().get_text_range() for one in document).replace("\u200b", "").split())


def docx_text(content: bytes) -> str:
    document = docx.Document(io.BytesIO(content))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return " ".join(" ".join([*(one.text for one in document.paragraphs), *cells]).split())


@pytest.mark.parametrize("layout", Layout)
def test_a_document_holds_all_of_its_text_and_markup_in_it_is_text(layout: Layout) -> None:
    made = page(HOSTILE, layout, reference="25/1234", signatures=("recipient", "Vitne #1"))
    for text in (pdf_text(TypstDocuments().made(made)), docx_text(DocxDocuments().made(made))):
        for words in (
            "Krav fra Đorđe-Ŋilas Ștefan",
            '#read("/etc/passwd") #import "@preview/x:1.0.0" $x^2$ <b>fet</b> #let x = 1 Bolig #1 AS #{1+1} @ref ~',
            "punkt 'en' og \"to\"",
            "đ ŋ š ž ă ș ț Đ Ŋ Š Ž Ă Ș Ț á č ŧ",
            "sitat",
            "Deatnu, 1. mai 2026",
            "Máret Ánne Đorđe-Ŋilas Ștefan",
            "Vitne #1",
        ):
            assert words in text
        assert "root:" not in text
        if layout is not Layout.AGREEMENT:
            assert "25/1234" in text
            assert "Šibergvegen 1 ž ă" in text
            assert "v/ Ola Hansen" in text


def test_pages_are_numbered_and_the_case_number_stands_on_each() -> None:
    content = TypstDocuments().made(page("# T\n\n" + "Et avsnitt om saken. " * 400))
    pages = [one.get_textpage().get_text_range() for one in pypdfium2.PdfDocument(content)]
    assert len(pages) > 1
    for number, text in enumerate(pages, 1):
        assert f"Side {number} av {len(pages)}" in text
        assert "4bf92f35" in text


def test_a_pdf_says_that_it_is_for_archives_and_has_its_fonts_inside() -> None:
    content = TypstDocuments().made(page("# Tittel\n\nTekst."))
    assert b"<pdfaid:part>2</pdfaid:part>" in content
    assert b"<pdfaid:conformance>B</pdfaid:conformance>" in content
    assert pypdfium2.PdfDocument(content).get_metadata_dict()["Title"] == "Tittel"


def test_very_long_words_are_broken_within_the_margins_and_lose_nothing() -> None:
    word = "x" * 3_000
    content = TypstDocuments().made(page(f"# T\n\n{word}"))
    first = pypdfium2.PdfDocument(content)[0]
    assert max(first.get_textpage().get_charbox(at)[2] for at in range(0, 2_000, 7)) < first.get_width() - 60
    assert word in pdf_text(content).replace(" ", "")


def test_the_same_page_is_the_same_file() -> None:
    made = page(HOSTILE)
    assert TypstDocuments().made(made) == TypstDocuments().made(made)
    assert DocxDocuments().made(made) == DocxDocuments().made(made)


def test_sources_stand_at_the_end_with_their_dates_and_quotes_that_were_not_found_are_marked() -> None:
    source = DraftSource(
        refid="lov/1999-03-26-17", section="§3-5", title="Husleieloven § 3-5 (Depositum)",
        in_force_from="2000-01-01", corpus_date="2026-04-30", lovdata_url="https://lovdata.no/x", quotes=1,
    )  # fmt: skip
    text = "# T\n\nEtter [lov/1999-03-26-17/§3-5] gjelder dette."
    made = page_of(draft(text, sources=(source,), unverified=("noe annet",)), parsed(text), MEANINGS)
    for found in (pdf_text(TypstDocuments().made(made)), docx_text(DocxDocuments().made(made))):
        body, _, end = found.partition("Kilder")
        assert "Etter Husleieloven § 3-5 gjelder dette." in body
        assert "i kraft 1. januar 2000, lest i samlingen per 30. april 2026, sitert ordrett" in end
        assert "«noe annet»" in end


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_every_template_is_rendered_with_a_sample_case(template: Template) -> None:
    values = {one.name: f"Verdi {place}" for place, one in enumerate(template.fields)}
    filled = fill(template, values, CONTEXTS, None)
    made = page_of(draft(filled.markdown, head=filled.head), parsed(filled.markdown), MEANINGS)
    for text in (pdf_text(TypstDocuments().made(made)), docx_text(DocxDocuments().made(made))):
        assert all(value in text for value in values.values())
        assert "Máret Ánne Đorđe-Ŋilas Ștefan" in text


def test_a_sign_that_no_font_has_is_named_and_control_characters_are_left_out() -> None:
    with pytest.raises(InvalidDraft, match="Tegnet «😀» kan ikke vises"):
        TypstDocuments().made(page("# T\n\nHei 😀"))
    assert "snu her" in pdf_text(TypstDocuments().made(page("# T\n\nsnu\u202e\x07 \x9fhe\x00r")))


async def test_the_press_lets_the_loop_go_on_and_refuses_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    press = DocumentPress()
    going = asyncio.create_task(press.made(page("# T\n\n" + "Et avsnitt om saken.\n\n" * 1_900), DraftFormat.PDF))
    turns = 0
    while not going.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 10
    assert (await going).startswith(b"%PDF")
    monkeypatch.setattr("lovsvar_cases.adapters.document_press.MOST_BYTES", 1_000)
    with pytest.raises(DraftTooLarge, match="for stort"):
        await press.made(page("# T"), DraftFormat.DOCX)


def test_a_docx_has_fields_for_page_numbers() -> None:
    with zipfile.ZipFile(io.BytesIO(DocxDocuments().made(page("# T")))) as archive:
        footers = "".join(archive.read(name).decode() for name in archive.namelist() if "footer" in name)
    assert "NUMPAGES" in footers
