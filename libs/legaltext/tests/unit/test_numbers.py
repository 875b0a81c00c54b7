"""The order of section numbers."""

import pytest

from lovsvar_legaltext.numbers import nearest

KEYS = ["§1", "§2-1", "§2-9", "§2-10", "§2a-1", "§3-1", "§3-1a", "§12", "kap7/§3-1", "gdpr/a4", "gdpr/a6", "kap3", ""]


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("§2-11", ["§2-9", "§2-10", "§2a-1"]),
        ("§2a-2", ["§2-10", "§2a-1", "§3-1"]),
        ("§3-1b", ["§3-1", "§3-1a", "§12"]),
        ("§99", ["§3-1", "§3-1a", "§12"]),
        ("§0", ["§1", "§2-1", "§2-9"]),
        ("gdpr/a5", ["gdpr/a4", "gdpr/a6"]),
        ("kap7/§1", ["kap7/§3-1"]),
        ("emkn/a5", []),
        ("§", []),
        ("", []),
    ],
)
def test_the_nearest_are_those_around_where_the_number_would_stand(key: str, near: list[str]) -> None:
    assert nearest(key, KEYS[::-1], 3) == near
    assert nearest(key, [], 3) == []
