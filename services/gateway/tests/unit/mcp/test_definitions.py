"""Definitions, as Norwegian law writes them."""

from typing import Any

import pytest

from lovsvar_gateway.core.mcp.definitions import definitions_in


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
