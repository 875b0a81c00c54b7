"""Draws provisions at random, for someone to write questions about who sees neither search nor its data.

    uv run python benchmarks/draw_provisions.py --database-url URL --acts 600 --regulations 600 > drawn.jsonl
    uv run python benchmarks/draw_provisions.py --source FOLDER --acts 1500 --regulations 1500 --repeat --seed 2 >
    more.jsonl

One provision of a document, all documents in force alike, so that a small regulation counts as much as a large act;
with `--repeat` a document may come again when all have come. Provisions that only bring a law into force, amend,
repeal or delegate are passed over, as are those too short or too long to be asked about. Each is given a language: of
twenty, fourteen are to be asked about in bokmål, three in nynorsk and three in English. The same seed and corpus draw
the same.
"""

import argparse
import asyncio
import json
import random
import re
from collections import defaultdict
from collections.abc import Sequence

import asyncpg
from search import add_corpus_arguments, corpus

LANGUAGES = ("nb",) * 14 + ("nn",) * 3 + ("en",) * 3

SHORTEST, LONGEST = 150, 4_000
"""Characters of a provision's text."""

_FORMAL = re.compile(
    r"ikraft|i kraft|endring|opphev|overgang|delegering|hjemmel|gjennomføringsforskrift|sitat",
    re.IGNORECASE,
)
_FORMAL_TEXT = re.compile(r"(?:trer|trår|tek til å gjelde|tar til å gjelde).{0,40}|.{0,80}skal lyde:", re.IGNORECASE)

STORED = """
SELECT d.refid, d.law_type, d.short_title AS act, s.section, s.value, s.title, s.path, s.text
FROM sections AS s
JOIN documents AS d USING (refid)
WHERE s.kind = 'provision' AND s.in_force = 'in_force' AND d.in_force = 'in_force'
    AND s.removed_at IS NULL AND d.removed_at IS NULL AND NOT starts_with(d.refid, 'lti/')
ORDER BY d.refid, s.position
"""


def may_be_asked_about(row: asyncpg.Record) -> bool:
    """Whether a provision says something that somebody could ask about."""
    text = " ".join(row["text"].split())
    return (
        SHORTEST <= len(text) <= LONGEST
        and not _FORMAL.search(row["title"])
        and not _FORMAL_TEXT.search(text[: 2 * SHORTEST])
    )


def draw(rows: Sequence[asyncpg.Record], count: int, generator: random.Random, *, repeat: bool) -> list[asyncpg.Record]:
    """Return `count` provisions, one of a document; fewer when there are not so many and none may `repeat`."""
    by_document: defaultdict[str, list[asyncpg.Record]] = defaultdict(list)
    for row in rows:
        by_document[row["refid"]].append(row)
    drawn: list[asyncpg.Record] = []
    while by_document and len(drawn) < count:
        for refid in generator.sample(sorted(by_document), len(by_document)):
            left = by_document[refid]
            drawn.append(left.pop(generator.randrange(len(left))))
            if not left:
                del by_document[refid]
        if not repeat:
            break
    return drawn[:count]


async def main() -> None:
    """Draw and print, one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_corpus_arguments(parser)
    parser.add_argument("--acts", type=int, default=600)
    parser.add_argument("--regulations", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", action="store_true", help="documents may come more than once")
    arguments = parser.parse_args()
    async with corpus(arguments) as (_, database_url):
        connection = await asyncpg.connect(database_url)
        try:
            rows = [row for row in await connection.fetch(STORED) if may_be_asked_about(row)]
        finally:
            await connection.close()
    generator = random.Random(arguments.seed)
    acts = [row for row in rows if row["law_type"] == "lov"]
    others = [row for row in rows if row["law_type"] != "lov"]
    drawn = [
        *draw(acts, arguments.acts, generator, repeat=arguments.repeat),
        *draw(others, arguments.regulations, generator, repeat=arguments.repeat),
    ]
    for row in drawn:
        print(json.dumps(dict(row) | {"lang": generator.choice(LANGUAGES)}, ensure_ascii=False))


if __name__ == "__main__":
    asyncio.run(main())
