"""What Lovsvar says in its own words is checked against the law: explanations, and what to do next."""

import json
import re
from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from lovsvar_agent.core.guidance.situations import Situation, parse_situations
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Block
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.lovdata_reader import parse_document
from lovsvar_legaltext.explanations import Explanation, faults, ledd_texts, parse_explanations, text_hash
from lovsvar_legaltext.quantities import unsupported
from lovsvar_legaltext.sentences import sentence_spans

DATA = Path(str(files("lovsvar_agent"))) / "data"
SECOND_READING = Path(__file__).parents[1] / "data" / "second_reading.jsonl"
LANGUAGES = ("nb", "nn", "en")
BLOCKS = TypeAdapter(tuple[Block, ...])
REFID = re.compile(rb'<dd class="refid">([^<]+)</dd>')

Place = tuple[str, str]


@pytest.fixture(scope="module")
def explanations() -> list[Explanation]:
    return list(parse_explanations((DATA / "explanations.jsonl").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def situations() -> tuple[Situation, ...]:
    return parse_situations((DATA / "situations.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def law(
    archives: Path, explanations: list[Explanation], situations: tuple[Situation, ...]
) -> dict[str, ParsedDocument]:
    """The documents that anything is said of, by refid."""
    wanted = {one.refid for one in explanations}
    wanted |= {refid for one in situations for refid in one.acts}
    found = {}
    for dataset in ("gjeldende-lover", "gjeldende-sentrale-forskrifter"):
        for file, _ in read_tar(archives / f"{dataset}.tar.bz2", TarLimits()):
            refid = REFID.search(file.content)
            if refid and refid[1].decode() in wanted:
                found[refid[1].decode()] = parse_document(file.content, file.name, dataset, date(2026, 11, 24))
    return found


@pytest.fixture(scope="module")
def texts(law: dict[str, ParsedDocument]) -> dict[Place, Mapping[int, str]]:
    """The text of each ledd."""
    return {
        (refid, section.key): ledd_texts(BLOCKS.validate_json(section.blocks_json))
        for refid, document in law.items()
        for section in document.sections
    }


def test_each_explanation_is_of_the_text_that_is_law_and_says_nothing_else(
    explanations: list[Explanation], law: dict[str, ParsedDocument], texts: dict[Place, Mapping[int, str]]
) -> None:
    headings = {(r, s.key): f"{s.value} {s.title}" for r, document in law.items() for s in document.sections}
    wrong: list[object] = []
    for one in explanations:
        place = one.refid, section_key(one.section)
        explained = [texts[place][number] for number in one.ledd]
        if text_hash(explained) != one.text_hash:
            wrong.append((place, "another text"))
        for language, words in one.words.items():
            found = faults(words, language, "\n".join([*explained, headings[place]]))
            wrong += [(place, language, fault) for fault in found]
    assert wrong == []


def test_the_most_asked_provisions_are_explained(explanations: list[Explanation]) -> None:
    assert len(explanations) == len({(one.refid, one.section) for one in explanations}) >= 2_500
    assert all("nb" in one.words for one in explanations)
    assert sum(len(one.words) == len(LANGUAGES) for one in explanations) >= 800


def test_each_situation_rests_on_law_and_its_deadline_on_a_sentence(
    situations: tuple[Situation, ...], texts: dict[Place, Mapping[int, str]], law: dict[str, ParsedDocument]
) -> None:
    assert len(situations) >= 120
    wrong: list[object] = []
    for one in situations:
        chapters = {(refid, key) for refid, key in one.provisions if key.startswith("kap") and refid in law}
        wrong += [(one.id, place) for place in one.provisions if place not in chapters and place not in texts]
        if deadline := one.deadline:
            place = deadline.provision.refid, section_key(deadline.provision.section)
            text = texts[place][deadline.ledd]
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
