"""Decisions, preparatory works, circulars and EU acts, as they are named."""

import pytest

from lovsvar_legaltext.authorities import Authority, SourceType, authorities_in

COURT, WORKS, CIRCULAR, EU, TREATY = (
    SourceType.COURT_DECISION,
    SourceType.PREPARATORY_WORK,
    SourceType.CIRCULAR,
    SourceType.EU_ACT,
    SourceType.TREATY,
)


def only(text: str) -> Authority:
    (found,) = authorities_in(text)
    return found


@pytest.mark.parametrize(
    ("text", "named", "kind"),
    [
        ("Se Rt. 2999 s. 1234 om dette.", "Rt. 2999 s. 1234", COURT),
        ("Se Rt-2999-1234.", "Rt-2999-1234", COURT),
        ("Jf. RG 2999 s. 12.", "RG 2999 s. 12", COURT),
        ("Slik HR-2999-1234-A.", "HR-2999-1234-A", COURT),
        ("Slik LB-2999-12345-2.", "LB-2999-12345-2", COURT),
        ("Slik LA-2999-123.", "LA-2999-123", COURT),
        ("Slik TOSLO-2999-123456.", "TOSLO-2999-123456", COURT),
        ("Slik PVN-2999-05.", "PVN-2999-05", COURT),
        ("Slik FinKN-2999-123.", "FinKN-2999-123", COURT),
        ("Slik KOFA 2999/34.", "KOFA 2999/34", COURT),
        ("Schrems II er C-311/18.", "C-311/18", COURT),
        ("EFTA-sak E-16/10 gjelder.", "E-16/10", COURT),
        ("Se ECLI:EU:C:2999:559.", "ECLI:EU:C:2999:559", COURT),
        ("Båtsen mot Norge gjelder.", "Båtsen mot Norge", COURT),
        ("Strand Båtsen m.fl. mot Noreg gjeld.", "Strand Båtsen m.fl. mot Noreg", COURT),
        ("Boatsen and Others v. Italy applies.", "Boatsen and Others v. Italy", COURT),
        ("Det følger av no. 1234/05.", "no. 1234/05", COURT),
        ("Dommen (37283/13) gjelder.", "(37283/13)", COURT),
        ("Båtholm-dommen gjelder.", "Båtholm-dommen", COURT),
        ("Det følger av dom 12. mars 2999.", "dom 12. mars 2999", COURT),
        ("Se sak 29-012345TVI-OSLO.", "29-012345TVI-OSLO", COURT),
        ("Jf. Ot.prp. nr. 82 (2997-2998).", "Ot.prp. nr. 82 (2997-2998)", WORKS),
        ("Jf. Prop. 12 L (2999–3000) side 4.", "Prop. 12 L (2999–3000)", WORKS),
        ("Jf. NOU 2999: 3.", "NOU 2999: 3", WORKS),
        ("Jf. Innst. O. nr. 5 (2998-99).", "Innst. O. nr. 5 (2998-99)", WORKS),
        ("Jf. Innst. 120 L (2999–3000).", "Innst. 120 L (2999–3000)", WORKS),
        ("Jf. Meld. St. 12 (2999-3000).", "Meld. St. 12 (2999-3000)", WORKS),
        ("Jf. St.meld. nr. 13 (2998-99).", "St.meld. nr. 13 (2998-99)", WORKS),
        ("Jf. Dok. 8:12 S (2999–3000).", "Dok. 8:12 S (2999–3000)", WORKS),
        ("Jf. rundskriv H-12/99.", "rundskriv H-12/99", CIRCULAR),
        ("Jf. rundskrivet Q-1234.", "rundskrivet Q-1234", CIRCULAR),
        ("Jf. G-12/99 punkt 3.", "G-12/99", CIRCULAR),
        ("Jf. forordning (EU) 2016/679.", "forordning (EU) 2016/679", EU),
        ("Jf. direktiv 2004/38/EF.", "direktiv 2004/38/EF", EU),
        ("See Directive 2004/38/EC.", "Directive 2004/38/EC", EU),
        ("Jf. forordning (EF) nr. 1408/71.", "forordning (EF) nr. 1408/71", EU),
        ("Jf. båtdirektivet.", "båtdirektivet", EU),
        ("Etter AI-forordningen.", "AI-forordningen", EU),
        ("Etter Haagkonvensjonen.", "Haagkonvensjonen", TREATY),
    ],
)
def test_a_source_is_found_by_its_designation(text: str, named: str, kind: SourceType) -> None:
    found = only(text)
    assert (found.text, found.type, found.general) == (named, kind, False)
    assert text[found.start : found.end] == named


@pytest.mark.parametrize(
    ("text", "named", "kind"),
    [
        ("Høyesterett har slått fast at leien er fri.", "Høyesterett", COURT),
        ("Høgsterett har lagt til grunn at leiga er fri.", "Høgsterett", COURT),
        ("The Supreme Court has held that rent is free.", "Supreme Court", COURT),
        ("Båtklagenemnda kom til at leien er fri.", "Båtklagenemnda", COURT),
        ("Det følger av fast rettspraksis at leien er fri.", "fast rettspraksis", COURT),
        ("Rettspraksis viser at leien er fri.", "Rettspraksis", COURT),
        ("Ifølge forarbeidene er leien fri.", "forarbeidene", WORKS),
        ("Førearbeida legg til grunn at leiga er fri.", "Førearbeida", WORKS),
        ("According to the preparatory works, rent is free.", "preparatory works", WORKS),
        ("Rundskrivet sier at leien er fri.", "Rundskrivet", CIRCULAR),
    ],
)
def test_a_source_is_found_by_what_it_is_said_to_say(text: str, named: str, kind: SourceType) -> None:
    found = only(text)
    assert (found.text, found.type, found.general) == (named, kind, True)


@pytest.mark.parametrize(
    "text",
    [
        "Anke til Høyesterett må skje innen to uker.",
        "Høyesterett kan omgjøre vedtaket.",
        "Praksis er ikke søkt, og forarbeidene er ikke med.",
        "Krav mot Norge må meldes. Anke mot Norge er mulig.",
        "Lov 1. april 2999 nr. 17 og LOV-2999-01-01-1 § 3-2 gjelder.",
        "Studieåret 2024/2025 varer til 12/24, og § 3-5 gjelder.",
        "Pantet settes på konto 1234 i 2999, jf. nr. 3 og bokstav b.",
        "Det er høyst fire ukers leie [lovdata-1], LOVDATA-1.",
        "Retten kan gi saken til lagmannsretten, og dom kan kreves.",
        "Fristen løper fra nemnda har avgjort saken, og retten kom sammen.",
        "Barnet og moren, saken og direktivene.",
    ],
)
def test_law_and_everyday_words_name_none(text: str) -> None:
    assert authorities_in(text) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rt. 2999 s. 1234", "Rt-2999-1234"),
        ("Ot.prp. nr. 82 (1997-1998)", "Ot.prp.nr. 82 (1997–98)"),
        ("direktiv 2004/38/EF", "Directive 2004/38/EC"),
        ("forordning (EF) nr. 1408/71", "forordning 1408/71"),
        ("forordning (EU) 2016/679", "Regulation (EU) 2016/679"),
        ("rundskriv H-12/99", "Rundskrivet H-12/99"),
        ("Båtsen mot Norge", "Båtsen v. Norway"),
        ("båtdirektivet", "båtdirektiva"),
    ],
)
def test_a_source_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert only(one).key == only(other).key


def test_a_name_with_less_detail_is_part_of_one_with_more() -> None:
    short, long, other = only("Prop. 12 L"), only("Prop. 12 L (2019–2020)"), only("Prop. 12 L (2020–2021)")
    assert short.is_part_of(long) and not long.is_part_of(short)
    assert not other.is_part_of(long)


def test_several_are_found_in_order_without_overlaps() -> None:
    text = "Se Rt. 2999 s. 12, NOU 2999: 3 og forente saker C-203/15 og C-698/15."
    assert [one.text for one in authorities_in(text)] == ["Rt. 2999 s. 12", "NOU 2999: 3", "C-203/15", "C-698/15"]


def test_a_long_text_takes_little_time() -> None:
    assert authorities_in("A" * 20_000 + " og " * 3_000 + "Å-" * 5_000) == ()
