"""English titles of acts: what the file holds, and that each is the name by which search finds the act."""

import re

from lovsvar_gateway.core.english_titles import english_title, english_titles


def test_well_known_acts_have_their_english_titles() -> None:
    known = {
        "lov/1999-03-26-17": "Tenancy Act",
        "lov/2005-06-17-62": "Working Environment Act",
        "lov/2002-06-21-34": "Consumer Purchases Act",
        "lov/1814-05-17": "Constitution",
    }
    assert {refid: english_title(refid) for refid in known} == known


def test_an_act_without_a_title_in_use_has_none() -> None:
    assert english_title("lov/2999-01-01-1") == ""
    assert english_title(None) == ""


def test_each_title_is_of_one_act_and_names_what_it_is() -> None:
    titles = english_titles()
    assert len(titles) >= 200
    assert len(set(titles.values())) == len(titles), "one title never means two acts"
    assert all(re.fullmatch(r"lov/\d{4}-\d\d-\d\d(-\d+)?", refid) for refid in titles)
    assert all(re.fullmatch(r"[A-Z].* (Act|Code)|Constitution", title) for title in titles.values())
