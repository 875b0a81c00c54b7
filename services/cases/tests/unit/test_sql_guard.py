"""What the parser's judgement lets through, and what it says of the rest."""

import re
from pathlib import Path

import pytest

from lovsvar_cases.core.sql_guard.guard import SqlRefused, judge
from lovsvar_cases.core.sql_guard.size import too_large

FILES = Path(__file__).parents[1] / "sql"


def read(name: str, kind: str) -> dict[str, str]:
    """Return the statements of a file by their names."""
    _, *parts = re.split(rf"^-- {kind}: (\w+)$", (FILES / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: sql.strip() for name, sql in zip(parts[::2], parts[1::2], strict=True)}


ATTACKS = read("attacks.sql", "attack")
QUERIES = read("queries.sql", "query")


def test_there_are_attacks_and_queries_enough() -> None:
    assert len(ATTACKS) >= 80
    assert len(QUERIES) >= 20


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_passes(name: str) -> None:
    for table in ("legislation", "practice"):
        with pytest.raises(SqlRefused):
            judge(ATTACKS[name], table)


@pytest.mark.parametrize("name", QUERIES)
def test_queries_pass_and_what_is_carried_out_passes_again(name: str) -> None:
    carried_out = judge(QUERIES[name], "legislation")
    assert ";" not in carried_out
    assert "--" not in carried_out
    assert judge(carried_out, "legislation") == carried_out


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT doc_id, full_text FROM legislation", "full_text hentes etterpå"),
        ("SELECT full_text FROM legislation WHERE doc_id = 'a' OR year > 0", "full_text hentes etterpå"),
        ("SELECT full_text FROM legislation WHERE NOT doc_id = 'a'", "full_text hentes etterpå"),
        ("SELECT full_text FROM legislation WHERE doc_id = doc_id", "full_text hentes etterpå"),
        ("SELECT full_text FROM legislation WHERE doc_id IN (SELECT doc_id FROM legislation)", "full_text hentes"),
        ("SELECT max(full_text) FROM legislation", "full_text hentes etterpå"),
        ("SELECT * FROM legislation", "hvilke kolonner"),
        ("SELECT name FROM legislation", "Kolonnen name finnes ikke"),
        ("SELECT doc_id FROM practice", "Bare tabellen legislation"),
        ("SELECT doc_id FROM legislation a, legislation b", "JOIN"),
        ("SELECT doc_id FROM legislation JOIN legislation AS b ON true", "JOIN"),
        ("SELECT nextval('a')", "Funksjonen nextval er ikke tillatt"),
        ("DELETE FROM legislation", "Bare én SELECT"),
        ("SELECT 1e999 FROM legislation", "Tall"),
        ("SELECT 'a'::regclass FROM legislation", "ikke tillatt"),
        ("SELECT doc_id FROM", "ikke gyldig SQL"),
    ],
)
def test_a_refusal_says_how_to_write_it(query: str, said: str) -> None:
    with pytest.raises(SqlRefused, match=re.escape(said)):
        judge(query, "legislation")


def test_a_table_is_one_of_two() -> None:
    assert judge("SELECT court, decided FROM practice", "practice")
    with pytest.raises(SqlRefused, match="legislation eller practice"):
        judge("SELECT doc_id FROM legislation", "sections")


def test_names_do_not_multiply() -> None:
    assert not too_large("SELECT a FROM b " + "WHERE a = 1 AND " * 50)
    assert too_large("x" * 4_001)
    assert too_large("SELECT a || a FROM (" * 20 + "SELECT a" + ")" * 20)
