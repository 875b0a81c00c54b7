"""The shipped file of everyday names of acts."""

from lovsvar_legaltext.act_names import fold
from lovsvar_search.app import load_aliases


def test_the_shipped_file_is_well_formed_and_each_name_in_it_means_one_thing() -> None:
    aliases = load_aliases()
    places: dict[tuple[str, ...], set[tuple[str, str | None]]] = {}
    for alias in aliases:
        places.setdefault(fold(alias.name), set()).add((alias.refid, alias.prefix))
    assert len(aliases) >= 300
    assert [words for words, meanings in places.items() if len(meanings) > 1] == []
