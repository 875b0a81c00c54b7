"""The labelled questions by which search is measured and its ranking is learnt, a part of each kind held out.

| kind | from |
|---|---|
| tail | `questions/tail.jsonl`: provisions drawn at random (`draw_provisions.py`), each asked in other words |
| story | `questions/stories.jsonl`: a situation in everyday words, answered by one to three provisions |
| several | `questions/several.jsonl`: questions that need provisions of several acts |
| unanswerable near-miss, unanswerable other | `questions/unanswerable.jsonl`: what no stored provision answers |
| later tail, later story … | `questions/later.jsonl`: the same, written when all else stood; all of it held out |
| paraphrase | `questions/paraphrases.tsv`: everyday questions that ingest keeps, asked in other words |
| asked again | `questions/asked_again.jsonl`: more of the same, for learning alone |
| unanswerable near-miss | also `questions/near_misses.jsonl`, for learning alone |
| everyday | questions that ingest keeps, each asked with its own entry left out; for learning alone |
| drawn | those of them that were written, as the tail's, of provisions drawn at random; for learning alone |
| heading, definition … | `known_items.py`: made from the corpus itself |

`is_held_out` parts every kind but those for learning by the question's id.
"""

import json
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lovsvar_contracts.identifiers import section_key
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_local.evaluation import Question, is_held_out

FOLDER = Path(__file__).parent / "questions"

Place = tuple[str, str]
"""Refid and section key of a provision."""


@dataclass(frozen=True)
class Labelled:
    """A question with the provisions that answer it (`gold`, each needed) and others that may (`also`)."""

    id: str
    kind: str
    lang: str
    question: str
    gold: tuple[Place, ...]
    also: tuple[Place, ...] = ()

    @property
    def held_out(self) -> bool:
        """Whether it is kept for reporting."""
        return self.kind.startswith("later") or is_held_out(self.id)

    @property
    def right(self) -> frozenset[Place]:
        """Every provision that counts as found."""
        return frozenset((*self.gold, *self.also))


def read_set(name: str) -> list[Labelled]:
    """Return the questions of a file in `questions`, in its order."""
    found = []
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        gold, also = (tuple(_place(one) for one in data.get(key, ())) for key in ("gold", "also"))
        found.append(Labelled(data["id"], data["style"], data["lang"], data["question"], gold, also))
    return found


def everyday() -> list[Labelled]:
    """Return the questions that ingest keeps, in no order."""
    drawn = set(read_everyday(names="drawn_*.tsv"))
    found = []
    for one in read_everyday():
        kind = "drawn" if one in drawn else "everyday"
        found.append(Labelled(f"{kind} {one.question}", kind, one.lang, one.question, one.targets))
    random.Random(1).shuffle(found)
    return found


def paraphrases() -> list[Labelled]:
    """Return everyday questions that are asked in other words."""
    found = []
    for line in (FOLDER / "paraphrases.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            lang, targets, question = line.split("\t")
            gold = tuple(_target(target) for target in targets.split())
            found.append(Labelled(f"paraphrase {question}", "paraphrase", lang, question, gold[:1], gold[1:]))
    return found


def _target(written: str) -> Place:
    kind, date, section = written.split("/", 2)
    return f"{kind}/{date}", section_key(section)


def labelled(one: Question) -> Labelled:
    """Return a question as `lovsvar eval` reads it in the form in which the sets here are."""
    gold, also = (tuple((ref.refid, section_key(ref.section)) for ref in refs) for refs in (one.gold, one.also))
    return Labelled(one.id, one.style, one.lang, one.question, gold, also)


def _place(one: dict[str, str]) -> Place:
    return one["refid"], section_key(one["section"])


def tuning(questions: Sequence[Labelled]) -> list[Labelled]:
    """Return those by which something may be chosen."""
    return [one for one in questions if not one.held_out]


def for_the_adapter(question: Labelled) -> bool:
    """Whether the adapter learns from a question that ingest keeps; the ranker learns from the others."""
    return zlib.crc32(question.id.encode()) % 10 != 0
