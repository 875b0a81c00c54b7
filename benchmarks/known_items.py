"""Questions whose answer is known because they are made from it: the law's own words, drawn from the stored corpus.

    uv run python benchmarks/known_items.py --source FOLDER > known.jsonl
    uv run python benchmarks/known_items.py --database-url URL --seed 2 --each 200 > others.jsonl

Eight kinds, each over all kinds of documents and in bokmål and nynorsk: a heading alone, a heading inside a question, a
heading with its act, an act named and a topic of it, a rare phrase of the text, a definition, an annex, an article of
an EEA act. A user who types the law's own words expects that provision first; a plain BM25 does that. What is printed
holds the law's words, and so is made from the corpus where it is wanted and never kept. The same seed and corpus give
the same.
"""

import argparse
import asyncio
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import asyncpg
from search import add_corpus_arguments, corpus

from lovsvar_contracts.search import ProvisionRef
from lovsvar_local.evaluation import Question

EACH = 800
"""Questions of a kind; fewer where the corpus has not so many."""

FRAMES = (
    "Hvor står reglene om {}?",
    "Hva sier loven om {}?",
    "Hva gjelder for {}?",
    "Finnes det regler om {}?",
    "Hvilken paragraf handler om {}?",
    "Jeg lurer på hva som gjelder om {}",
    "Kan du forklare reglene om {}?",
    "Hva er regelverket for {}?",
    "Hei! Jeg trenger å vite mer om {}, takk",
    "Vi har spørsmål om {} – hvor finner vi det?",
    "bestemmelser om {}",
    "Hvor i regelverket finner jeg noe om {}?",
    "Jeg jobber med en sak om {}. Hva bestemmer loven?",
    "Hva må man vite om {}?",
    "Kvar står reglane om {}?",
    "Kva seier lova om {}?",
    "Kva gjeld for {}?",
    "Finst det reglar om {}?",
    "Eg lurer på kva som gjeld om {}",
    "Kan du forklare reglane om {}?",
)
NYNORSK_FRAMES = FRAMES[-6:]
ASKED_IN_NYNORSK = 0.2
"""Share of the questions about acts in bokmål, at least."""

WITH_ACT = ("{1} {0}", "{0} i {1}", "{0}, {1}", "{1}: {0}", "{0} etter {1}")
TOPIC_OF_ACT = (
    "Hva sier {1} om {0}?",
    "Hva står det i {1} om {0}?",
    "{1} om {0}",
    "Hvordan regulerer {1} {0}?",
    "Eg treng det {1} seier om {0}",
    "Kva står i {1} om {0}?",
)
DEFINITIONS = ("Hva menes med {}?", "Hva betyr {}?", "definisjon av {}", "Kva er meint med {}?", "Hva er {}?")

_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]+)*")
_DEFINED = re.compile(
    r"\b(?:med|ved)\s+(?:begrepet\s+|omgrepet\s+)?[«\"]?(?P<term>[^\W\d_][\w\s-]{3,45}?)[»\"]?"
    r"\s+(?:menes|forstås|meines|meiner ein|siktes det til|er meint)\b",
    re.IGNORECASE,
)
_HAS_NYNORSK = re.compile(
    r"\b(?:ikkje|eller eit|frå|skal vere|skal ein|dei|korleis|kva|nokon|blir gitt|ein)\b", re.IGNORECASE
)
_ASKED_IN_NYNORSK = re.compile(r"\b(?:kva|kvar|eg|reglane|er meint|lova)\b", re.IGNORECASE)
_NUMBERING = re.compile(
    r"^\s*(?:§+\s*[\d-]+\w?\.?|art(?:ikkel)?\.?\s*\d+\.?|vedlegg\s*[\dIVXLC]*\w?\.?|\d+\.)\s*", re.IGNORECASE
)
_FORMAL = re.compile(r"ikraft|i kraft|endring|opphev|overgang", re.IGNORECASE)

STORED = """
SELECT d.refid, d.law_type, coalesce(nullif(d.short_title, ''), d.title) AS act, s.section, s.kind, s.value, s.title,
s.text FROM sections AS s
JOIN documents AS d USING (refid)
WHERE ($1 OR (s.in_force = 'in_force' AND d.in_force = 'in_force')) AND s.removed_at IS NULL AND d.removed_at IS NULL
    AND NOT starts_with(d.refid, 'lti/')
ORDER BY d.refid, s.position
"""


@dataclass(frozen=True)
class Stored:
    """A section as it is stored, with the name of its act."""

    refid: str
    law_type: str
    act: str
    section: str
    kind: str
    value: str
    title: str
    text: str

    @property
    def ref(self) -> ProvisionRef:
        """Its name."""
        return ProvisionRef(refid=self.refid, section=self.section)

    @property
    def heading(self) -> str:
        """What it is called, without its number."""
        return _NUMBERING.sub("", " ".join(self.title.split())).strip(" .:–-")

    @property
    def nynorsk(self) -> bool:
        """Whether its text is probably nynorsk."""
        return len(_HAS_NYNORSK.findall(self.text[:2_000])) >= 3


Item = tuple[Stored, str]
"""A section and what is asked for it."""


class Maker:
    """Makes questions of each kind from one corpus by one seed."""

    def __init__(self, rows: Sequence[Stored], seed: int) -> None:
        self._rows = rows
        self._seed = seed
        self._defined: Counter[str] | None = None
        self._random = random.Random(seed)
        self._same_heading: defaultdict[str, list[Stored]] = defaultdict(list)
        for row in rows:
            self._same_heading[row.heading.casefold()].append(row)
        self._frequency = Counter(word for row in rows for word in set(_words(row.text)))

    def questions(self, each: int) -> Iterator[Question]:
        """Yield up to `each` questions of every kind."""
        kinds: dict[str, Callable[[], Iterator[Item]]] = {
            "heading": self._headings,
            "heading in a question": self._framed,
            "heading and act": self._with_act,
            "act named": self._topics,
            "rare phrase": self._phrases,
            "definition": self._definitions,
            "annex": self._annexes,
            "EEA article": self._articles,
        }
        for kind, make in kinds.items():
            # Each kind by itself: how many of one are made changes nothing of the next.
            self._random = random.Random(f"{self._seed} {kind}")
            for row, asked in islice(make(), each):
                yield Question(
                    id=f"{kind} {row.refid} {row.section}"[:100],
                    lang="nn" if row.nynorsk or _ASKED_IN_NYNORSK.search(asked) else "nb",
                    style=kind,
                    question=asked[:1_000],
                    gold=(row.ref,),
                    also=tuple(same.ref for same in self._equals(row, kind)),
                )

    def _equals(self, row: Stored, kind: str) -> Iterator[Stored]:
        """Yield the others of the same name, where nothing else in the question distinguishes them."""
        if kind in ("heading", "heading in a question", "annex", "heading and act", "act named", "EEA article"):
            for same in self._same_heading[row.heading.casefold()]:
                of_one_act = kind not in ("heading and act", "act named", "EEA article") or same.act == row.act
                if same is not row and of_one_act:
                    yield same

    def _drawn(self, *kinds: str) -> Iterator[Stored]:
        """Yield sections of these kinds at random, acts and others in turn, and small documents as often as large."""
        acts, others = (
            self._by_document([r for r in self._rows if r.kind in kinds and (r.law_type == "lov") is law])
            for law in (True, False)
        )
        while True:
            pair = [next(rows, None) for rows in (acts, others)]
            if pair == [None, None]:
                return
            yield from (row for row in pair if row is not None)

    def _by_document(self, rows: Sequence[Stored]) -> Iterator[Stored]:
        by_document: defaultdict[str, list[Stored]] = defaultdict(list)
        for row in rows:
            by_document[row.refid].append(row)
        for of_document in by_document.values():
            self._random.shuffle(of_document)
        while by_document:
            for refid in self._random.sample(sorted(by_document), len(by_document)):
                yield by_document[refid].pop()
                if not by_document[refid]:
                    del by_document[refid]

    def _telling(self) -> Iterator[Stored]:
        """Yield provisions whose heading hardly any other has."""
        for row in self._drawn("provision"):
            words = _words(row.heading)
            rare = len(self._same_heading[row.heading.casefold()]) <= 2
            if rare and len(words) >= 2 and len(row.heading) <= 120 and not _FORMAL.search(row.heading):
                yield row

    def _headings(self) -> Iterator[Item]:
        for row in self._telling():
            yield row, row.heading

    def _framed(self) -> Iterator[Item]:
        for row in self._telling():
            # Users who write nynorsk also ask about acts in bokmål.
            nynorsk = row.nynorsk or self._random.random() < ASKED_IN_NYNORSK
            frame = self._random.choice(NYNORSK_FRAMES if nynorsk else FRAMES)
            yield row, frame.format(_lowered(row.heading))

    def _with_act(self) -> Iterator[Item]:
        for row in self._drawn("provision"):
            if row.heading and len(row.heading) <= 120 and not _FORMAL.search(row.heading):
                yield row, self._random.choice(WITH_ACT).format(_lowered(row.heading), row.act)

    def _topics(self) -> Iterator[Item]:
        for row in self._drawn("provision"):
            if row.heading and len(row.heading) <= 120 and not _FORMAL.search(row.heading):
                yield row, self._random.choice(TOPIC_OF_ACT).format(_lowered(row.heading), _lowered(row.act))

    def _phrases(self) -> Iterator[Item]:
        for row in self._drawn("provision", "text"):
            words = row.text.split()
            rare = [
                at
                for at, word in enumerate(words)
                if (plain := word.strip(".,;:()«»").casefold()).isalpha()
                and len(plain) > 5
                and self._frequency[plain] <= 12
            ]
            if rare and len(words) > 12:
                at = self._random.choice(rare)
                length = self._random.choice((4, 5, 6, 7))
                start = max(0, min(at - length // 2, len(words) - length))
                yield row, " ".join(words[start : start + length]).strip(".,;:()«»–- ")

    def _definitions(self) -> Iterator[Item]:
        seen: set[str] = set()
        for row in self._drawn("provision"):
            for match in islice(_DEFINED.finditer(row.text), 1):
                term = " ".join(match["term"].split())
                if len(term.split()) <= 4 and term.casefold() not in seen and self._defining(term) == 1:
                    seen.add(term.casefold())
                    yield row, self._random.choice(DEFINITIONS).format(_lowered(term))

    def _defining(self, term: str) -> int:
        if self._defined is None:
            self._defined = Counter(
                " ".join(match["term"].split()).casefold()
                for row in self._rows
                for match in _DEFINED.finditer(row.text)
            )
        return self._defined[term.casefold()]

    def _annexes(self) -> Iterator[Item]:
        for row in self._drawn("annex"):
            if len(_words(row.heading)) >= 2 and len(self._same_heading[row.heading.casefold()]) <= 2:
                asked = row.heading[:120]
                yield row, self._random.choice((asked, f"vedlegg om {_lowered(asked)}", f"{asked} {row.act}"))

    def _articles(self) -> Iterator[Item]:
        for row in self._drawn("provision", "text"):
            named = row.heading and len(row.heading) <= 120 and not _FORMAL.search(row.heading)
            if named and re.search(r"/a\d", row.section):
                form = self._random.choice(("{0} {1}", "{1}: {0}", "Hva sier {1} om {0}?"))
                yield row, form.format(_lowered(row.heading), row.act)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _lowered(text: str) -> str:
    """Return `text` as it would be written inside a sentence."""
    first, _, rest = text.partition(" ")
    return text if first.isupper() and len(first) > 1 else f"{first[:1].lower()}{first[1:]}{' ' if rest else ''}{rest}"


async def read_stored(database_url: str, *, every: bool = False) -> list[Stored]:
    """Return every section in force; `every` one of current law if so asked."""
    connection = await asyncpg.connect(database_url)
    try:
        return [Stored(**dict(row)) for row in await connection.fetch(STORED, every)]
    finally:
        await connection.close()


async def main() -> None:
    """Make and print, one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=EACH)
    arguments = parser.parse_args()
    async with corpus(arguments) as (_, database_url):
        rows = await read_stored(database_url)
    for question in Maker(rows, arguments.seed).questions(arguments.each):
        print(question.model_dump_json())


if __name__ == "__main__":
    asyncio.run(main())
