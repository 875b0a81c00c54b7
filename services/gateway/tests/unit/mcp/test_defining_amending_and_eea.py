"""Definitions, amendment notes and EEA references, as Norwegian law writes them."""

from datetime import date
from typing import Any

import pytest

from lovsvar_gateway.core.mcp.amending import Amendment, amended_by, amendments, in_force_since
from lovsvar_gateway.core.mcp.defining import definitions_in
from lovsvar_gateway.core.mcp.eea import eu_acts


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("forbruker", "Med forbruker menes en fysisk person som ikke handler som ledd i næringsvirksomhet."),
        ("arbeidstaker", "Med arbeidstaker menes i denne lov enhver som utfører arbeid for en annen."),
        ("arbeidstakar", "Med arbeidstakaren meinest ikkje. Som arbeidstakar reknes den som arbeider."),
        ("personopplysning", "I denne artikkelen menes med\n1. «personopplysninger» enhver opplysning om en person"),
        ("depositum", "I loven menes med:\na. depositum: et beløp som settes på konto"),
    ],
)
def test_a_definition_is_found_in_the_forms_that_law_uses(provision: Any, term: str, text: str) -> None:
    (found,) = definitions_in([provision(text)], term)
    assert term in found.words.casefold()
    assert (found.section, found.act) == ("§3-5", "Husleieloven")


@pytest.mark.parametrize(
    "text",
    [
        "Likt med forbrukeren regnes en annen tredjeperson.",
        "Forbruker kan heve kjøpet.",
        "Selgeren skal gi forbrukeren beskjed.",
        "Med kunde menes en forbruker.",
    ],
)
def test_a_provision_that_only_uses_the_term_defines_nothing(provision: Any, text: str) -> None:
    assert definitions_in([provision(text)], "forbruker") == []


def test_a_note_names_the_acts_that_amended_and_not_the_resolutions_in_its_parentheses() -> None:
    note = (
        "Endret ved lover 21 des 2005 nr. 121 (ikr. 1 jan 2006 iflg. res. 21 des 2005 nr. 1607), 21 juni 2019 nr. 24, "
        "forskrift 7 juni 2024 nr. 928."
    )
    assert amended_by([note]) == ("lov/2005-12-21-121", "lov/2019-06-21-24", "forskrift/2024-06-07-928")


def test_a_note_tells_when_what_an_act_did_came_into_force() -> None:
    note = "Endret ved lov 19 juni 2009 nr. 74 , 20 juni 2025 nr. 86 (i kraft 1 juli 2025 iflg. res. 1 mai 2025 nr. 3)."
    assert amendments([note]) == (
        Amendment("lov/2009-06-19-74", None),
        Amendment("lov/2025-06-20-86", date(2025, 7, 1)),
    )
    assert amendments(["Endra med lov 31 feb 2009 nr. 74."]) == ()


@pytest.mark.parametrize(
    ("notes", "since"),
    [
        ((), date(2000, 1, 1)),
        (("Endret ved lov 1 des 2006 nr. 64 (ikr. 1 jan 2007).",), date(2000, 1, 1)),
        (
            ("Tilføyd ved lov 16 juni 2017 nr. 42 (ikr. 1 juli 2017 iflg. res. 16 juni 2017 nr. 752).",),
            date(2017, 7, 1),
        ),
        (("Tilføyd ved lov 7 mars 2008 nr. 4 , endret ved lov 4 des 2020 nr. 135 (ikr. 1 jan 2021).",), None),
        (("Føyd til ved lov.",), None),
    ],
)
def test_a_provision_that_was_added_later_is_in_force_since_then(
    provision: Any, notes: tuple[str, ...], since: date | None
) -> None:
    assert in_force_since(provision(notes=notes, in_force_from=date(2000, 1, 1))) == since


@pytest.mark.parametrize(
    ("reference", "celex"),
    [
        ("EØS-avtalen vedlegg XX nr. 1j (direktiv 2007/2/EF).", ["32007L0002"]),
        ("vedlegg XI nr. 5e (forordning (EU) 2016/679)", ["32016R0679"]),
        ("vedlegg II (forordning (EF) nr. 1907/2006)", ["32006R1907"]),
        ("direktiv 93/13/EØF og direktiv (EU) 2019/771", ["31993L0013", "32019L0771"]),
        ("vedlegg XIX nr. 3", []),
    ],
)
def test_eu_acts_are_named_by_their_celex_numbers(reference: str, celex: list[str]) -> None:
    assert [act.celex for act in eu_acts([reference])] == celex
    assert all(act.celex in act.url for act in eu_acts([reference]))
