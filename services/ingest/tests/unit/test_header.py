"""What a document says of itself."""

from collections.abc import Callable
from datetime import date

import pytest

from lovsvar_contracts.law import InForce, LawType
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.header import law_type, split_short_title
from lovsvar_ingest.core.in_force import Force, read_force
from lovsvar_ingest.core.lovdata_reader import parse_document

TODAY = date(2026, 11, 21)
Parse = Callable[..., ParsedDocument]


@pytest.mark.parametrize(
    ("text", "type_", "expected"),
    [
        ("Husleieloven – husll", LawType.LOV, ("Husleieloven", "husll")),
        ("Straffeloven – strl.", LawType.LOV, ("Straffeloven", "strl")),
        ("Grunnloven (bokmål) – Grl.", LawType.LOV, ("Grunnloven (bokmål)", "Grl")),
        ("Barnelova", LawType.LOV, ("Barnelova", "")),
        ("", LawType.LOV, ("", "")),
        ("Anskaffelsesforskriften – FOA", LawType.FORSKRIFT, ("Anskaffelsesforskriften", "FOA")),
        ("Forskrift om omsorgspoeng – barn", LawType.FORSKRIFT, ("Forskrift om omsorgspoeng – barn", "")),
        ("Forskrift om reker – Svalbard", LawType.FORSKRIFT, ("Forskrift om reker – Svalbard", "")),
        ("Lov om fullmakt – Norsk Lysingsblad", LawType.LOV, ("Lov om fullmakt – Norsk Lysingsblad", "")),
    ],
)
def test_the_short_title_is_parted_from_its_abbreviation(text: str, type_: LawType, expected: tuple[str, str]) -> None:
    assert split_short_title(text, type_) == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("", Force(InForce.UNKNOWN)),
        ("2000-01-01", Force(InForce.YES, date(2000, 1, 1))),
        ("2026-11-21", Force(InForce.YES, date(2026, 11, 21))),
        ("2026-11-22", Force(InForce.NOT_YET, date(2026, 11, 22))),
        ("2001-07-01, 2000-01-01", Force(InForce.YES, date(2000, 1, 1), "2001-07-01, 2000-01-01")),
        ("2030-07-01, 2001-01-01", Force(InForce.YES, date(2001, 1, 1), "2030-07-01, 2001-01-01")),
        ("Kongen fastset", Force(InForce.NOT_YET, None, "Kongen fastset")),
        ("Kongen bestemmer", Force(InForce.NOT_YET, None, "Kongen bestemmer")),
        ("Departementet bestemmer", Force(InForce.NOT_YET, None, "Departementet bestemmer")),
        ("Ikkje i kraft", Force(InForce.NOT_YET, None, "Ikkje i kraft")),
        ("Kongen bestemmer, 2020-01-01", Force(InForce.YES, date(2020, 1, 1), "Kongen bestemmer, 2020-01-01")),
        ("Kongen bestemmer, 2030-01-01", Force(InForce.NOT_YET, date(2030, 1, 1), "Kongen bestemmer, 2030-01-01")),
        ("2020-01-01 – 2021-12-31", Force(InForce.REPEALED, date(2020, 1, 1), "2020-01-01 – 2021-12-31")),
        ("2020-01-01 – 2030-12-31", Force(InForce.YES, date(2020, 1, 1), "2020-01-01 – 2030-12-31")),
        (
            "2020-01-01, oppheves 2021-01-01",
            Force(InForce.REPEALED, date(2020, 1, 1), "2020-01-01, oppheves 2021-01-01"),
        ),
        ("Inntektsåret 2014", Force(InForce.YES, None, "Inntektsåret 2014")),
        ("Inntektsåret 2027", Force(InForce.UNKNOWN, None, "Inntektsåret 2027")),
        ("2020-02-31", Force(InForce.YES, None, "2020-02-31")),
        ("en gang", Force(InForce.UNKNOWN, None, "en gang")),
    ],
)
def test_in_force_or_not_is_read_from_dates_and_words(field: str, expected: Force) -> None:
    assert read_force(field, TODAY) == expected


@pytest.mark.parametrize(
    ("refid", "title", "expected"),
    [
        ("lov/2999-01-01-1", "Lov om prøver", LawType.LOV),
        ("lov/2999-01-01-1", "Instruks for en gammel embetsmann", LawType.LOV),
        ("forskrift/2999-01-01-1", "Forskrift om instruks for prøver", LawType.FORSKRIFT),
        ("forskrift/2999-01-01-1", "Midlertidig forskrift om vedtak", LawType.FORSKRIFT),
        ("forskrift/2999-01-01-1", "Gebyrforskrift for taubaner", LawType.FORSKRIFT),
        ("forskrift/2999-01-01-1", "Instruks om prøvetaking", LawType.INSTRUKS),
        ("forskrift/2999-01-01-1", "Eksamensreglement for en skole", LawType.REGLEMENT),
        ("forskrift/2999-01-01-1", "Stortingsvedtak om avgifter", LawType.VEDTAK),
        ("forskrift/2999-01-01-1", "Delegering av myndighet etter forskrift om prøver", LawType.VEDTAK),
        ("forskrift/2999-01-01-1", "Res. om et flagg", LawType.VEDTAK),
        ("forskrift/2999-01-01-1", "Tillegg til forskrifter om frakt", LawType.VEDLEGG),
        ("forskrift/2999-01-01-1", "Overgangsregler til lov om prøver", LawType.FORSKRIFT),
        ("forskrift/2999-01-01-1", "", LawType.FORSKRIFT),
    ],
)
def test_the_law_type_follows_from_the_series_and_the_leading_noun(refid: str, title: str, expected: LawType) -> None:
    assert law_type(refid, title) is expected


def test_the_header_is_read_whole(parse: Parse) -> None:
    head = """<dd class="legacyID">LOV-2999-01-02-3</dd><dd class="dokid">NL/lov/2999-01-02-3</dd>
        <dd class="ministry"><ul><li>Første departement</li><li>Andre departement</li></ul></dd>
        <dd class="legalArea"><ul><li><a href="x">Fast eiendom</a> &gt; <a href="y">Husleie</a></li></ul></dd>
        <dd class="dateInForce">2020-01-01</dd><dd class="lastChangeInForce">2024-07-01</dd>
        <dd class="lastChangedBy"><a href="x">lov/2024-06-25-53</a> fra 2024-07-01, lov/2023-01-01</dd>
        <dd class="eeaReferences"><a href="x">EØS-avtalen vedlegg XX</a> <br />nr. 1j (direktiv 2007/2/EF).</dd>
        <dd class="titleShort">Prøveloven – prøvel</dd>
        <dd class="changesToDocuments"><ul><li><a href="lov/2998-01-01-1">lov/2998-01-01-1</a></li></ul></dd>"""
    header = parse(head=head, title="Lov om <i>prøver</i>").header
    assert (header.refid, header.legacy_id, header.dokid) == (
        "lov/2999-01-02-3",
        "LOV-2999-01-02-3",
        "NL/lov/2999-01-02-3",
    )
    assert (header.title, header.short_title, header.abbreviation) == ("Lov om prøver", "Prøveloven", "prøvel")
    assert header.ministries == ("Første departement", "Andre departement")
    assert header.legal_areas == ("Fast eiendom > Husleie",)
    assert header.changes_to == ("lov/2998-01-01-1",)
    assert (header.year, header.in_force, header.in_force_from) == (2999, InForce.YES, date(2020, 1, 1))
    assert header.last_change_in_force == date(2024, 7, 1)
    assert header.last_changed_by == ("lov/2024-06-25-53", "lov/2023-01-01")
    assert [" ".join(one.split()) for one in header.eea_references] == [
        "EØS-avtalen vedlegg XX nr. 1j (direktiv 2007/2/EF)."
    ]


def test_a_language_form_and_an_announcement_have_refids_of_their_own(parse: Parse) -> None:
    assert parse(file="nl/nl-18140517-000-nn.xml", refid="lov/1814-05-17").header.refid == "lov/1814-05-17-nn"
    assert parse(file="nl/nl-18140517-000.xml", refid="lov/1814-05-17").header.refid == "lov/1814-05-17"
    assert parse(dataset="lovtidend-avd1-2025").header.refid == "lti/lov/2999-01-02-3"


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"not xml at all",
        b"<html><body><main/></body></html>",
        b"<html><body><dl class='data-document-key-info'><dd class='refid'>lov/2999-01-02-3</dd></dl></body></html>",
        b"<html><dl class='data-document-key-info'><dd class='refid'>../../etc</dd></dl><main/></html>",
        "<html><body>\udcff</body></html>".encode("utf-8", "surrogateescape"),
        b"<html><main>" + b"<p>" * 300 + b"</p>" * 300 + b"</main></html>",
    ],
)
def test_what_is_no_lovdata_document_is_refused_with_a_reason(xml: bytes) -> None:
    with pytest.raises(MalformedDocument) as caught:
        parse_document(xml, "nl/x.xml", "test", TODAY)
    assert str(caught.value)


def test_entities_of_the_documents_own_are_refused_and_never_fetched(
    make_page: Callable[..., bytes], tmp_path: object
) -> None:
    secret = f"{tmp_path}/secret"
    for dtd in (
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{secret}">]>',
        '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x "&b;&b;&b;">]>',
    ):
        xml = make_page("<p>&x;</p>").replace(b"<!DOCTYPE html>", dtd.encode())
        with pytest.raises(MalformedDocument):
            parse_document(xml, "nl/x.xml", "test", TODAY)
