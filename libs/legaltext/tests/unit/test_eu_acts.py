"""EEA references, as Norwegian law writes them."""

import pytest

from lovsvar_legaltext.eu_acts import eu_acts


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


@pytest.mark.parametrize(
    ("named", "usual"),
    [
        ("Regulation (EU) 2016/679", "forordning (EU) 2016/679"),
        ("Directive 2004/38/EC", "direktiv 2004/38"),
        ("forordning (EØF) nr. 1408/71", "forordning 1408/1971"),
    ],
)
def test_an_act_has_the_name_by_which_norwegian_acts_are_known(named: str, usual: str) -> None:
    (act,) = eu_acts([named])
    assert act.usual_name == usual
