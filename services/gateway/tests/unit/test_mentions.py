"""Which mentions of paragraphs are links, and where they lead."""

from urllib.parse import quote

import pytest

from lovsvar_gateway.core.document_view import links_in

OWN = {"§2": "§2", "§3-1": "§3-1", "§3-2": "§3-2", "§2a-1": "§2a-1", "§13a": "§13a", "§6i": "§6i"}


def linked(text: str, given: dict[str, str] | None = None) -> dict[str, str]:
    return {text[link.start : link.end]: link.href for link in links_in(text, given or {}, OWN)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fristen etter § 3-1 gjelder.", {"§ 3-1": "#%C2%A73-1"}),
        ("jf. §§ 3-1 og 3-2", {"§§ 3-1": "#%C2%A73-1", "3-2": "#%C2%A73-2"}),
        ("vilkårene i § 2 a-1 første ledd", {"§ 2 a-1": "#%C2%A72a-1"}),
        ("se § 13 a", {"§ 13 a": "#%C2%A713a"}),
        ("§ 3-1 gjelder tilsvarende.", {"§ 3-1": "#%C2%A73-1"}),
        ("etter § 3-1 i denne loven", {"§ 3-1": "#%C2%A73-1"}),
        ("etter § 6 i første ledd", {"§ 6 i": "#%C2%A76i"}),
    ],
)
def test_a_mention_that_plainly_means_its_own_document_is_a_link(text: str, expected: dict[str, str]) -> None:
    assert linked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "etter lov 13. juni 1997 nr. 44 § 2",
        "etter straffeloven av 1902 § 2",
        "etter loven § 2 i lova om avtaler",
        "etter § 2 i straffeloven",
        "etter § 3-1 i forskrift 1. mai 2999",
        "etter § 2 første ledd i lov om avtaler",
        "§ 2 første ledd skal lyde:",
        "etter § 99",
        "straffeprosessloven § 216 i",
        "200 § i bøter",
    ],
)
def test_a_mention_that_may_mean_another_law_is_no_link(text: str) -> None:
    assert linked(text) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("etter straffeloven § 2", {"§ 2": "straffeloven § 2"}),
        ("Straffelova § 13 a gjeld", {"§ 13 a": "Straffelova § 13 a"}),
        (
            "jf. plan- og bygningsloven §§ 20-9 og 20-10",
            {"§§ 20-9": "plan- og bygningsloven § 20-9", "20-10": "plan- og bygningsloven § 20-10"},
        ),
        ("jf. straffeloven § 12 og § 2", {"§ 12": "straffeloven § 12"}),
        ("etter EØS-loven § 2 og a-opplysningsloven § 3", {"§ 2": "EØS-loven § 2", "§ 3": "a-opplysningsloven § 3"}),
        ("byggesaksforskriften § 5-1", {"§ 5-1": "byggesaksforskriften § 5-1"}),
    ],
)
def test_a_mention_behind_the_name_of_a_law_leads_to_what_the_name_means(text: str, expected: dict[str, str]) -> None:
    assert linked(text) == {words: f"/henvisning?ref={quote(named)}" for words, named in expected.items()}


def test_a_mention_of_this_document_behind_one_of_another_is_linked_in_the_next_sentence_alone() -> None:
    text = "etter straffeloven § 2. Etter § 3-1 gjelder noe annet."
    assert linked(text)["§ 3-1"] == "#%C2%A73-1"


def test_where_the_law_itself_links_a_mention_that_is_where_it_leads() -> None:
    given = {"§2": "/lov/2999-02-02-2#%C2%A72"}
    assert linked("eksempel-arbeidsloven § 2", given) == {"§ 2": "/lov/2999-02-02-2#%C2%A72"}
