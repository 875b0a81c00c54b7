"""What Lovsvar says in its own words is checked against the law: explanations, and what to do next."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import asyncpg
import pytest
import pytest_asyncio
from pydantic import TypeAdapter

from lovsvar_agent.core.guidance.situations import Situation, parse_situations
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Block
from lovsvar_legaltext.explanations import Explanation, faults, ledd_texts, parse_explanations, text_hash
from lovsvar_legaltext.quantities import unsupported
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_testkit.real_law import RealLaw

DATA = Path(str(files("lovsvar_agent"))) / "data"
SECOND_READING = Path(__file__).parents[1] / "data" / "second_reading.jsonl"
LANGUAGES = ("nb", "nn", "en")
BLOCKS = TypeAdapter(tuple[Block, ...])

Place = tuple[str, str]


class Section(NamedTuple):
    """What a section says: its number and title, and the text of each ledd."""

    heading: str
    ledd: Mapping[int, str]


@pytest.fixture(scope="module")
def explanations() -> list[Explanation]:
    return list(parse_explanations((DATA / "explanations.jsonl").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def situations() -> tuple[Situation, ...]:
    return parse_situations((DATA / "situations.toml").read_text(encoding="utf-8"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sections(
    real_law: RealLaw, explanations: list[Explanation], situations: tuple[Situation, ...]
) -> dict[Place, Section]:
    """The sections of the acts that anything is said of."""
    wanted = {one.refid for one in explanations} | {refid for one in situations for refid in one.acts}
    database = await asyncpg.connect(real_law.law)
    rows = await database.fetch(
        "SELECT refid, section_key, value, title, blocks::text FROM sections WHERE refid = ANY($1)", list(wanted)
    )
    await database.close()
    return {
        (refid, key): Section(f"{value} {title}", ledd_texts(BLOCKS.validate_json(blocks)))
        for refid, key, value, title, blocks in rows
    }


def test_each_explanation_is_of_the_text_that_is_law_and_says_nothing_else(
    explanations: list[Explanation], sections: dict[Place, Section]
) -> None:
    wrong: list[object] = []
    for one in explanations:
        place = one.refid, section_key(one.section)
        explained = [sections[place].ledd[number] for number in one.ledd]
        if text_hash(explained) != one.text_hash:
            wrong.append((place, "another text"))
        for language, words in one.words.items():
            found = faults(words, language, "\n".join([*explained, sections[place].heading]))
            wrong += [(place, language, fault) for fault in found]
    assert wrong == []


def test_the_most_asked_provisions_are_explained(explanations: list[Explanation]) -> None:
    assert len(explanations) == len({(one.refid, one.section) for one in explanations}) >= 2_500
    assert all("nb" in one.words for one in explanations)
    assert sum(len(one.words) == len(LANGUAGES) for one in explanations) >= 800


def test_each_situation_rests_on_law_and_its_deadline_on_a_sentence(
    situations: tuple[Situation, ...], sections: dict[Place, Section]
) -> None:
    assert len(situations) >= 120
    acts = {refid for refid, _ in sections}
    wrong: list[object] = []
    for one in situations:
        chapters = {(refid, key) for refid, key in one.provisions if key.startswith("kap") and refid in acts}
        wrong += [(one.id, place) for place in one.provisions if place not in chapters and place not in sections]
        if deadline := one.deadline:
            place = deadline.provision.refid, section_key(deadline.provision.section)
            text = sections[place].ledd[deadline.ledd]
            sentences = [line[a:b] for line in text.splitlines() for a, b in sentence_spans(line, 0, len(line))]
            sentence = sentences[deadline.sentence - 1] if deadline.sentence <= len(sentences) else ""
            named = unsupported(" ".join(deadline.words[language] for language in ("nb", "nn")), [text])
            wrong += [(one.id, sentence)] if named or not sentence else []
    assert wrong == []


def test_of_a_sample_that_others_read_at_most_one_in_fifty_was_wrong(explanations: list[Explanation]) -> None:
    verdicts = [json.loads(line) for line in SECOND_READING.read_text(encoding="utf-8").splitlines()]
    assert len({(one["refid"], section_key(one["section"])) for one in verdicts}) == 300
    assert {(one["refid"], section_key(one["section"])) for one in verdicts} <= {
        (one.refid, section_key(one.section)) for one in explanations
    }
    assert sum(one["verdict"] == "wrong" for one in verdicts) <= len(verdicts) / 50
