"""The pages' phrases: each in every language, each used, and none missing."""

import re
from datetime import date
from pathlib import Path
from string import Formatter

import lovsvar_gateway
from lovsvar_gateway.pages import LANGUAGES, SCRIPT, Phrases, phrases

HOME = Path(lovsvar_gateway.__file__).parent
SOURCES = "\n".join(p.read_text(encoding="utf-8") for g in ("**/*.html", "**/*.py", "**/*.js") for p in HOME.glob(g))
BUILT = (
    "type_",
    "browse_",
    "refused_",
    "flag_",
    "unknown_",
    "problem_",
    "example_",
    "version_",
    "case_done_",
    "case_action_",
    "case_phase_",
    "case_tier_",
    "case_field_",
    "case_file_kind_",
    "case_document_",
    "case_layout_",
    "case_access_",
    "case_kind_",
    "case_add_",
    "case_by_",
    "case_legislation",
    "case_practice",
    f"{SCRIPT}step_",
    f"{SCRIPT}tool_",
)
"""What the names of phrases begin with that are put together."""


CASES = {f"case_{end}" for end in ("", "phase_", "tier_", "tier_means_", "kind_of_", "kind_", "add_")} | {
    f"case_{end}" for end in ("document_", "field_", "layout_", "action_")
}


def test_every_phrase_has_every_language_with_the_same_places_to_fill() -> None:
    for name, phrase in phrases().items():
        assert set(phrase) == set(LANGUAGES), name
        places = {frozenset(f for _, f, _, _ in Formatter().parse(p) if f) for p in phrase.values()}
        assert len(places) == 1, name


def test_every_phrase_that_is_said_exists_and_every_one_that_exists_is_said() -> None:
    said = set(re.findall(r'\bt\(\s*"(\w+)"', SOURCES))
    assert said <= set(phrases()) | {"type_", "browse_", "refused_", "unknown_", "version_", "flag_", *CASES}
    for name in phrases():
        quoted = f'"{name.removeprefix(SCRIPT)}"'
        assert quoted in SOURCES or name.startswith(BUILT), name


def test_scripts_are_given_their_phrases_unfilled() -> None:
    given = Phrases("en").for_scripts("copied")
    assert given["hits"] == "{n} results"
    assert given["copied"] == "Copied"


def test_times_and_days_are_written_as_the_language_has_it() -> None:
    assert [Phrases(code).duration(1_249) for code in LANGUAGES] == ["1,2 s", "1,2 s", "1.2 s"]
    assert Phrases("nb").duration(311.4) == "311 ms"
    assert Phrases("nb").day(date(2026, 7, 2)) == "02.07.2026"
    assert Phrases("en").day(date(2026, 7, 2)) == "2 July 2026"
