"""Reading references out of text."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.law import InForce, LawType
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.aliases import Alias
from lovsvar_legaltext.pinpoints import Pinpoint
from lovsvar_legaltext.references import find_references

HUSLL, AML, STRL = "lov/1999-03-26-17", "lov/2005-06-17-62", "lov/2005-05-20-28"
GDPR, FVL, TEK = "lov/2018-06-15-38", "lov/1967-02-10", "forskrift/2017-06-19-840"


def act(refid: str, title: str, short: str, abbreviation: str = "", *, in_force: InForce = InForce.YES) -> Act:
    return Act(refid, title, short, abbreviation, LawType(refid.partition("/")[0]), in_force, ())


@pytest.mark.parametrize(
    ("text", "refid", "section"),
    [
        ("husleieloven § 3-5", HUSLL, "§3-5"),
        ("husll. § 3-5", HUSLL, "§3-5"),
        ("husll § 3-5", HUSLL, "§3-5"),
        ("Husleieloven §3-5.", HUSLL, "§3-5"),
        ("HUSLEIELOVENS § 3-5", HUSLL, "§3-5"),
        ("husleielova § 3-5", HUSLL, "§3-5"),
        ("husleieloven paragraf 3-5", HUSLL, "§3-5"),
        ("husleieloven 3-5", HUSLL, "§3-5"),
        ("husleieloven § 3 – 5", HUSLL, "§3-5"),
        ("§ 3-5 i husleieloven", HUSLL, "§3-5"),
        ("paragraf 3-5 i den gjeldende husleieloven", HUSLL, "§3-5"),
        ("hva sier husleieloven § 3-5?", HUSLL, "§3-5"),
        ("husleieloven kapittel 3, § 3-5", HUSLL, "§3-5"),
        ("lov/1999-03-26-17/§3-5", HUSLL, "§3-5"),
        ("lov/1999-03-26-17#§3-5", HUSLL, "§3-5"),
        ("NL/lov/1999-03-26-17/§3-5", HUSLL, "§3-5"),
        ("https://lovdata.no/dokument/NL/lov/1999-03-26-17/%C2%A73-5", HUSLL, "§3-5"),
        ("LOV-1999-03-26-17 § 3-5", HUSLL, "§3-5"),
        ("lov 1999-03-26-17 § 3-5", HUSLL, "§3-5"),
        ("lov 1999-03-26 nr 17 § 3-5", HUSLL, "§3-5"),
        ("lov av 1999-03-26 nr. 17 § 3-5", HUSLL, "§3-5"),
        ("LOV-1999-03-26-17-§3-5", HUSLL, "§3-5"),
        ("lov 26. mars 1999 nr. 17 § 3-5", HUSLL, "§3-5"),
        ("lov av 26. mars 1999 nr 17 om husleieavtaler § 3-5", HUSLL, "§3-5"),
        ("lov 26.3.1999 nr. 17 § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler § 3-5", HUSLL, "§3-5"),
        ("husleieloven § 2 A-1", HUSLL, "§2a-1"),
        ("husleieloven § 2A-1", HUSLL, "§2a-1"),
        ("husleieloven §2a-1", HUSLL, "§2a-1"),
        ("husleieloven § 2 A - 1", HUSLL, "§2a-1"),
        ("husleieloven § 3\u20115", HUSLL, "§3-5"),
        ("husleieloven 3-9 første ledd", HUSLL, "§3-9"),
        ("forvaltningsloven 11 a", FVL, "§11a"),
        ("forvaltningsloven 6 annet ledd", FVL, "§6"),
        ("§ 14-9 annet ledd bokstav b i arbeidsmiljøloven", AML, "§14-9"),
        ("artikkel 5 i GDPR", GDPR, "gdpr/a5"),
        ("GDPR art. 5 nr. 1", GDPR, "gdpr/a5"),
        ("forvaltningsloven § 11 a", FVL, "§11a"),
        ("aml. §15-3", AML, "§15-3"),
        ("strl. § 267a", STRL, "§267a"),
        ("plan og bygningsloven § 29-4", "lov/2008-06-27-71", "§29-4"),
        ("borettslagsloven § 5-4", "lov/2003-06-06-39", "§5-4"),
        ("grunnloven § 100", "lov/1814-05-17", "§100"),
        ("lov 10. februar 1967 § 6", FVL, "§6"),
        ("personvernforordningen art 5", GDPR, "gdpr/a5"),
        ("gdpr art. 5", GDPR, "gdpr/a5"),
        ("GDPR artikkel 17", GDPR, "gdpr/a17"),
        ("gdpr/a5", GDPR, "gdpr/a5"),
        ("lov/2018-06-15-38/gdpr/a5", GDPR, "gdpr/a5"),
        ("FOR-2017-06-19-840 § 12-15", TEK, "§12-15"),
        ("TEK17 § 12-15", TEK, "§12-15"),
        ("byggteknisk forskrift § 12-15", TEK, "§12-15"),
    ],
)
def test_a_reference_is_read_however_it_is_written(names: ActNames, text: str, refid: str, section: str) -> None:
    (reference,) = find_references(unquote(text), names)
    assert reference.refids == (refid,)
    assert section in reference.sections


@pytest.mark.parametrize(
    ("text", "ledd"),
    [
        ("husll § 3-5 annet ledd", 2),
        ("husleieloven § 3-5 andre ledd", 2),
        ("husleieloven § 3-5, fyrste ledd", 1),
        ("husleieloven § 3-5 (3)", 3),
        ("husleieloven § 3-5, 2. ledd", 2),
        ("husleieloven § 3-5 ledd 4", 4),
        ("husleieloven § 3-5 første ledd bokstav a", 1),
        ("husleieloven § 3-5", None),
    ],
)
def test_the_ledd_is_read(names: ActNames, text: str, ledd: int | None) -> None:
    (reference,) = find_references(text, names)
    assert reference.ledd == ledd


def test_the_place_inside_a_provision_is_read(names: ActNames) -> None:
    found = find_references("aml § 14-9 annet ledd bokstav a og b, jf. GDPR art. 6 nr. 1", names)
    assert [ref.pinpoint for ref in found] == [
        Pinpoint(ledd=2, letter="a"),
        Pinpoint(ledd=2, letter="b"),
        Pinpoint(number="1"),
    ]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("husleieloven §§ 9-2 til 9-4", ("§9-2", "§9-4")),
        ("husleieloven §§ 9-2 til og med 9-4", ("§9-2", "§9-4")),
        ("husleieloven § 9-2 til § 9-4", ("§9-2", "§9-4")),
        ("husleieloven §§ 3-1–3-5", ("§3-1", "§3-5")),
        ("§§ 3-1 - 3-5 i husleieloven", ("§3-1", "§3-5")),
        ("husleieloven §§ 5–8", ("§5", "§8")),
        ("husleieloven §§ 12 a til 12 d", ("§12a", "§12d")),
        ("husleieloven § 5-8", None),
        ("husleieloven § 3 til 14 dager", None),
    ],
)
def test_a_range_is_read(names: ActNames, text: str, span: tuple[str, str] | None) -> None:
    (reference,) = find_references(text, names)
    assert (reference.refids, reference.span) == ((HUSLL,), span)


@pytest.mark.parametrize(
    ("text", "chapter"),
    [
        ("husleieloven kapittel 3", "3"),
        ("husleieloven kap. 3", "3"),
        ("husleieloven kap 3", "3"),
        ("husll. kapittel 2 A", "2a"),
        ("husleieloven kapittel 2A", "2a"),
        ("kapittel 3 i husleieloven", "3"),
        ("husleielova kapittel IV", "iv"),
        ("husleieloven kapittel 3 § 3-5", None),
        ("hvilket kapittel i husleieloven", None),
    ],
)
def test_a_chapter_is_read(names: ActNames, text: str, chapter: str | None) -> None:
    (reference,) = find_references(text, names)
    assert (reference.refids, reference.chapter) == ((HUSLL,), chapter)


def test_a_chapter_without_an_act_names_no_act(names: ActNames) -> None:
    (reference,) = find_references("les kapittel 3 først", names)
    assert (reference.refids, reference.act_text, reference.chapter) == ((), "", "3")


def test_an_act_behind_a_list_is_the_act_of_all_in_it(names: ActNames) -> None:
    found = find_references("§§ 9-2, 9-4 og 9-7 i husleieloven", names)
    assert [(ref.refids, ref.sections[0]) for ref in found] == [((HUSLL,), f"§{n}") for n in ("9-2", "9-4", "9-7")]


def test_listed_articles_are_articles_of_one_regulation(names: ActNames) -> None:
    found = find_references("GDPR artiklene 13 og 14", names)
    assert [ref.sections[0] for ref in found] == ["gdpr/a13", "gdpr/a14"]


def test_a_short_alias_counts_with_a_section_or_alone(names: ActNames) -> None:
    assert find_references("send DOK til meg", names) == []
    assert [ref.refids for ref in find_references("DOK § 3", names)] == [(TEK,)]
    assert [ref.refids for ref in find_references("DOK", names)] == [(TEK,)]


@pytest.mark.parametrize("text", ["straffeloven", "Straffelovens virkeområde", "lov/2005-05-20-28", "strl."])
def test_an_act_alone_is_a_reference_to_the_whole_of_it(names: ActNames, text: str) -> None:
    (reference,) = find_references(text, names)
    assert (reference.refids, reference.sections) == ((STRL,), ())


def test_of_two_acts_with_one_name_the_one_in_force_is_meant(names: ActNames) -> None:
    (reference,) = find_references("forvaltningsloven § 6", names)
    assert reference.refids == (FVL,)


def test_two_acts_in_force_with_one_name_are_both_named(names: ActNames) -> None:
    (reference,) = find_references("arkivlova", names)
    assert set(reference.refids) == {"lov/1992-12-04-126", "lov/2025-06-20-96"}


def test_sections_listed_behind_a_double_sign_belong_to_the_same_act(names: ActNames) -> None:
    found = find_references("aml §§ 15-3, 15-4 og 15-7", names)
    assert [(ref.refids, ref.sections[0]) for ref in found] == [((AML,), f"§{n}") for n in ("15-3", "15-4", "15-7")]


def test_a_number_behind_a_single_sign_is_no_section(names: ActNames) -> None:
    (reference,) = find_references("husleieloven § 3-5 og 14 dager", names)
    assert "§3-5" in reference.sections


def test_references_to_two_acts_are_both_found_in_reading_order(names: ActNames) -> None:
    found = find_references("jf. straffeloven § 29 og husleieloven § 3-5", names)
    assert [ref.refids for ref in found] == [(STRL,), (HUSLL,)]


def test_a_section_without_an_act_names_no_act(names: ActNames) -> None:
    (reference,) = find_references("§ 3-5", names)
    assert (reference.refids, reference.act_text) == ((), "")


def test_a_section_of_an_unknown_act_keeps_the_acts_word(names: ActNames) -> None:
    (reference,) = find_references("tulleloven § 3", names)
    assert (reference.refids, reference.act_text) == ((), "tulleloven")


def test_a_section_far_from_an_act_is_not_tied_to_it(names: ActNames) -> None:
    found = find_references("Husleieloven sier mye, men hva betyr § 29 egentlig for naboen min?", names)
    assert [ref.refids for ref in found] == [(HUSLL,), ()]


def test_a_regulation_to_an_act_is_not_the_act(names: ActNames) -> None:
    (reference,) = find_references("forskrift til husleieloven § 3", names)
    assert reference.refids == ()


def test_a_preposition_behind_a_section_is_no_letter_of_it(names: ActNames) -> None:
    (reference,) = find_references("§ 29 i straffeloven", names)
    assert reference.sections == ("§29",)


@pytest.mark.parametrize(
    "text", ["fjell og vidde", "bor på et fjell", "ei bl, al og fl", "hei på deg", "😀", "§", "§§ §"]
)
def test_ordinary_words_and_signs_name_nothing(names: ActNames, text: str) -> None:
    assert find_references(text, names) == []


def test_an_abbreviation_that_is_a_word_counts_with_a_section_or_alone(names: ActNames) -> None:
    assert [ref.refids for ref in find_references("fjell § 3", names)] == [("lov/1996-01-05-1",)]
    assert [ref.refids for ref in find_references("fjell", names)] == [("lov/1996-01-05-1",)]


@given(st.text(max_size=300))
def test_no_text_makes_it_fail_and_every_reference_lies_in_the_text(text: str) -> None:
    names = ActNames([])
    for reference in find_references(text, names):
        assert 0 <= reference.start < reference.end


@given(
    st.lists(st.sampled_from(["husll", "§", "3-5", " ", "2 A-1", "i", "art.", "gdpr", "/", "lov", "-", "1999", "ledd"]))
)
def test_any_mix_of_the_parts_of_references_is_survived(parts: list[str]) -> None:
    find_references(" ".join(parts), ActNames([], [("lov/2018-06-15-38", "gdpr")]))


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("husleieloven § 3-5, 3-6 og 3-7", ["§3-5", "§3-6", "§3-7"]),
        ("husleieloven § 3-5 jf. 3-6", ["§3-5", "§3-6"]),
        ("husleieloven § 3-5, 14 dager", ["§3-5"]),
        ("forvaltningsloven § 3, 14 dager", ["§3"]),
    ],
)
def test_parted_numbers_behind_one_sign_are_listed(names: ActNames, text: str, sections: list[str]) -> None:
    assert [reference.sections[0] for reference in find_references(text, names)] == sections


def test_an_act_with_a_section_of_its_own_is_not_that_of_the_section_before_it(names: ActNames) -> None:
    first, second = find_references("tull. § 9, husleieloven § 3-5", names)
    assert (first.refids, first.act_text, first.sections) == ((), "tull.", ("§9",))
    assert (second.refids, second.sections[0]) == ((HUSLL,), "§3-5")
    (behind,) = find_references("§ 3-5, husleieloven", names)
    assert behind.refids == (HUSLL,)


def test_the_end_of_a_directives_number_names_no_act() -> None:
    names = ActNames([act("forskrift/2019-10-24-1434", "Forskrift om noe (EF)", "Noe-forskriften (EF)", "EF")])
    assert [reference.refids for reference in find_references("EF § 7", names)] == [("forskrift/2019-10-24-1434",)]
    (reference,) = find_references("direktiv 95/46/EF artikkel 7", names)
    assert (reference.refids, reference.act_text) == ((), "EF")


@pytest.mark.parametrize(
    ("text", "refids"),
    [
        ("barnelova § 5", ("lov/1981-04-08-7",)),
        ("barnelova 1981 § 5", ("lov/1981-04-08-7",)),
        ("barnelova (2025) § 5", ("lov/2025-06-20-40",)),
        ("barnelova av 2025 § 5", ("lov/2025-06-20-40",)),
        ("barnelova 2024 § 5", ("lov/1981-04-08-7",)),
        ("barnelova 1956 § 5", ()),
        ("barnelova 2025-06-20 § 5", ("lov/1981-04-08-7",)),
    ],
)
def test_a_year_behind_a_name_tells_acts_of_that_name_apart(text: str, refids: tuple[str, ...]) -> None:
    old = act("lov/1981-04-08-7", "Lov om barn og foreldre (barnelova)", "Barnelova")
    new = act("lov/2025-06-20-40", "Lov om barn og foreldre (barnelova)", "Barnelova", in_force=InForce.NOT_YET)
    assert find_references(text, ActNames([old, new]))[0].refids == refids
    aliases = [Alias(name, "lov/1981-04-08-7") for name in ("barnelova", "barneloven")]
    assert find_references(text, ActNames([old, new], aliases=aliases))[0].refids == refids


def test_a_treaty_in_parts_has_its_articles_in_any_of_them() -> None:
    prefix = "KAPITTEL_8-1/delI/a|KAPITTEL_8-1/delII/a"
    rights = act("lov/1999-05-21-30", "Lov om noe (menneskerettsloven)", "Menneskerettsloven")
    names = ActNames([rights], aliases=[Alias("barnekonvensjonen", "lov/1999-05-21-30", prefix)])
    (reference,) = find_references("barnekonvensjonen artikkel 3", names)
    assert reference.sections == ("kapittel_8-1/deli/a3", "kapittel_8-1/delii/a3")


ENVIRONMENT = "Lov om arbeidsmiljø, arbeidstid mv. (arbeidsmiljøloven)"


@pytest.mark.parametrize(
    ("text", "refid", "section"),
    [
        ("Lov om husleieavtaler (husleieloven) § 3-5", HUSLL, "§3-5"),
        ("lov om husleieavtaler (husleielova) § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler (husll.) § 3-5", HUSLL, "§3-5"),
        ("Husleieloven (lov om husleieavtaler) § 3-5", HUSLL, "§3-5"),
        ("husleieloven (lov 26. mars 1999 nr. 17) § 3-5", HUSLL, "§3-5"),
        ("lov 26. mars 1999 nr. 17 (husleieloven) § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler (husleieloven) av 1999 § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler av 26. mars 1999 nr. 17 § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler (husleieloven) av 26.3.1999, § 3-5", HUSLL, "§3-5"),
        ("Lov om husleieavtaler (husleieloven) 3-5", HUSLL, "§3-5"),
        ("Lov om leie av hus (husleieloven) § 3-5", HUSLL, "§3-5"),
        ("«Lov om husleieavtaler (husleieloven)» § 3-5", HUSLL, "§3-5"),
        ("§ 3-5 i «Lov om husleieavtaler»", HUSLL, "§3-5"),
        ("§ 3-5 i lov om husleieavtaler (husleieloven)", HUSLL, "§3-5"),
        (f"{ENVIRONMENT} § 14-9", AML, "§14-9"),
        (f"{ENVIRONMENT} § 14-9 første ledd", AML, "§14-9"),
        (f"{ENVIRONMENT.upper()} § 14-9", AML, "§14-9"),
        ("Lov om arbeidsmiljø, arbeidstid § 14-9", AML, "§14-9"),
        ("Lov om arkiv [arkivlova] § 5", "lov/1992-12-04-126", "§5"),
        ("personopplysningsloven (GDPR) art. 5", GDPR, "gdpr/a5"),
    ],
)
def test_a_title_and_the_name_in_brackets_behind_it_are_one_mention(
    names: ActNames, text: str, refid: str, section: str
) -> None:
    (reference,) = find_references(text, names)
    assert (reference.refids, reference.sections[0]) == ((refid,), section)


def test_a_bracket_that_names_another_act_is_a_mention_of_its_own(names: ActNames) -> None:
    found = find_references("husleieloven (straffeloven) § 5", names)
    assert [(ref.refids, ref.sections) for ref in found] == [((HUSLL,), ()), ((STRL,), ("§5",))]


@pytest.mark.parametrize(
    "title",
    [
        "Forskrift om unntak fra lov 26. mars 1999 nr. 17 om husleieavtaler",
        "Forskrift til lov om husleieavtaler (husleieloven)",
        "Forskrift til husleieloven",
        "Forskrift om endring i forskrift 19. juni 2017 nr. 840",
        "Forskrift om endring i lov/1999-03-26-17",
        "Forskrift om skatt etter husleieloven § 5 og kapittel 3 i straffeloven",
        "Utfyllende regler til § 1 og § 2 i lov av 26. mars 1999 nr 17.",
    ],
)
def test_a_title_names_its_document_alone_whatever_it_mentions(title: str) -> None:
    rents = act(HUSLL, "Lov om husleieavtaler (husleieloven)", "Husleieloven")
    names = ActNames([rents, act(STRL, "Lov om straff", "Straffeloven"), act("forskrift/2020-01-01-1", title, "")])
    for text, sections in ((title, ()), (f"{title} § 7", ("§7",)), (f"§ 7 i {title}", ("§7",))):
        (reference,) = find_references(text, names)
        assert (reference.refids, reference.sections, reference.chapter) == (
            ("forskrift/2020-01-01-1",),
            sections,
            None,
        )


def test_a_date_that_only_touches_a_name_is_a_date(names: ActNames) -> None:
    (reference,) = find_references("byggteknisk forskrift 2017-06-19-840 § 12-15", names)
    assert (reference.refids, reference.sections[0]) == ((TEK,), "§12-15")


@pytest.mark.parametrize(
    ("number", "sections"),
    [
        ("36 a real citation", ("§36a", "§36")),
        ("36 a", ("§36a",)),
        ("36 a.", ("§36a",)),
        ("36 a. Neste setning", ("§36a",)),
        ("36 a første ledd", ("§36a",)),
        ("36 a bokstav b", ("§36a",)),
        ("36 a (2)", ("§36a",)),
        ("36 a og § 37", ("§36a",)),
        ("36 a, jf. § 37", ("§36a",)),
        ("36 a i forvaltningsloven", ("§36a",)),
        ("36 a om habilitet", ("§36a",)),
        ("36 a gjelder her", ("§36a",)),
        ("36 a øvrige krav", ("§36a",)),
        ("36 a of the act", ("§36a",)),
        ("36a real citation", ("§36a",)),
        ("36 b real citation", ("§36b",)),
        ("36 m.fl.", ("§36",)),
        ("2 A-1", ("§2a-1", "§2a–1")),
    ],
)
def test_an_a_before_a_word_may_be_an_article_and_no_letter_of_the_section(
    names: ActNames, number: str, sections: tuple[str, ...]
) -> None:
    reference = find_references(f"fvl § {number}", names)[0]
    assert (reference.refids, reference.sections) == ((FVL,), sections)


@pytest.mark.parametrize(
    ("text", "section", "exact"),
    [
        ("husleieloven § 3-5", "§3-5", False),
        ("lov/1999-03-26-17 § 3-5", "§3-5", False),
        ("lov/1999-03-26-17/§3-5", "§3-5", True),
        ("lov/1999-03-26-17#§3-5", "§3-5", True),
        ("lov/1999-03-26-17/kap7/§3-5 første ledd", "kap7/§3-5", True),
        ("https://lovdata.no/lov/1999-03-26-17/kap7/%C2%A73-5", "kap7/§3-5", True),
        ("lov/1999-03-26-17/a5", "a5", True),
        ("GDPR art. 5", "gdpr/a5", True),
    ],
)
def test_a_name_as_it_is_stored_means_nothing_else(names: ActNames, text: str, section: str, exact: bool) -> None:
    (reference,) = find_references(unquote(text), names)
    assert (reference.sections[0], reference.exact) == (section, exact)
