"""Everyday names of acts."""

import pytest

from lovsvar_contracts.law import InForce, LawType
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.aliases import Alias, BadAliases, parse_aliases

OLD, NEW = "lov/1992-12-04-126", "lov/2025-06-20-96"


def act(refid: str, short: str, abbreviation: str = "", in_force: InForce = InForce.YES) -> Act:
    return Act(refid, f"Lov om {short}", short, abbreviation, LawType.LOV, in_force, ())


def meant(names: ActNames, text: str) -> list[tuple[str, ...]]:
    return [named.refids for named in names.find(text)]


def test_comments_and_empty_lines_are_no_aliases() -> None:
    text = "# a comment\n\nGDPR\tlov/2018-06-15-38\tgdpr/a\ta note\nnaboloven\tlov/1961-06-16-15\t\t\n"
    assert parse_aliases(text) == (
        Alias("GDPR", "lov/2018-06-15-38", "gdpr/a"),
        Alias("naboloven", "lov/1961-06-16-15"),
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("naboloven\tlov/1961-06-16-15", "line 2: 2 columns"),
        ("...\tlov/1961-06-16-15\t\t", "line 2: no name"),
        ("naboloven\tlov/1961\t\t", "no refid"),
        ("GDPR\tlov/2018-06-15-38\tgdpr\t", "no prefix"),
        ("AML.\tlov/1961-06-16-15\t\t", "already on line 1"),
    ],
)
def test_a_line_that_breaks_the_format_is_named(line: str, said: str) -> None:
    with pytest.raises(BadAliases, match=said):
        parse_aliases(f"aml\tlov/2005-06-17-62\t\t\n{line}\n")


def test_an_alias_names_its_document_and_one_of_a_document_that_is_not_there_names_nothing() -> None:
    names = ActNames([act(OLD, "Arkivlova")], aliases=[Alias("papirloven", OLD), Alias("tulleloven", NEW)])
    assert meant(names, "papirlova og tulleloven") == [(OLD,)]


def test_an_alias_decides_between_two_acts_in_force_of_one_name() -> None:
    names = ActNames([act(OLD, "Arkivlova"), act(NEW, "Arkivlova")], aliases=[Alias("arkivlova", NEW)])
    assert meant(names, "arkivloven") == [(NEW,)]


def test_the_name_of_an_act_in_force_is_not_taken_from_it_for_an_older_one_or_one_that_is_not_yet_law() -> None:
    acts = [act(OLD, "Papirlova"), act(NEW, "Arkivlova")]
    assert meant(ActNames(acts, aliases=[Alias("arkivlova", OLD)]), "arkivlova") == [(NEW,)]
    acts = [act(OLD, "Arkivlova"), act(NEW, "Papirlova", in_force=InForce.NOT_YET)]
    assert meant(ActNames(acts, aliases=[Alias("arkivlova", NEW)]), "arkivlova") == [(OLD,)]


def test_an_alias_gives_the_name_of_an_act_to_its_later_successor_in_force() -> None:
    acts = [act(OLD, "Arkivlova"), act(NEW, "Papirlova")]
    assert meant(ActNames(acts, aliases=[Alias("arkivlova", NEW)]), "arkivlova") == [(NEW,)]


def test_the_name_of_an_act_that_is_law_no_more_is_taken_over_by_an_alias() -> None:
    acts = [act(OLD, "Arkivlova", in_force=InForce.REPEALED), act(NEW, "Papirlova")]
    assert meant(ActNames(acts, aliases=[Alias("arkivlova", NEW)]), "arkivlova") == [(NEW,)]


def test_a_short_alias_is_weak_but_an_acts_own_abbreviation_of_three_letters_and_a_treatys_are_not() -> None:
    acts, prefix = [act(OLD, "Arkivlova", "arl")], "emkn/a"
    names = ActNames(
        acts, aliases=[Alias("TEK", OLD), Alias("arkl", OLD), Alias("EMK", OLD, prefix), Alias("arl", OLD)]
    )
    weak = {text: names.find(text)[0].weak for text in ("TEK", "arkl", "EMK", "arl")}
    assert weak == {"TEK": True, "arkl": False, "EMK": False, "arl": False}
