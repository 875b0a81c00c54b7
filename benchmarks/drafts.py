"""How long a document of ten pages takes, warm: each time another text, as PDF and as DOCX.

    uv run python benchmarks/drafts.py

Times are in milliseconds, of the rendering alone; `cpu` is what the processor worked, whatever else it does. A text
that is set again is faster, since typst remembers it.
"""

import json
import re
import statistics
import time
from collections.abc import Callable

from lovsvar_cases.adapters.docx_documents import DocxDocuments
from lovsvar_cases.adapters.sample_case import MEANINGS, draft
from lovsvar_cases.adapters.typst_documents import TypstDocuments
from lovsvar_cases.core.drafts.blocks import parsed
from lovsvar_cases.core.drafts.pages import Page, page_of

ROUNDS = 30
WARM = 3
SENTENCE = "Leieren flyttet ut {day}. mai og krever depositumet tilbake, og viser til avtalen av {number}. "


def page(number: int) -> Page:
    """Return a page of some 7,000 words, which no other number has a paragraph of."""
    paragraphs = (
        SENTENCE.format(day=number % 28 + 1, number=number * 1000 + place) * (5 + place % 4) for place in range(72)
    )
    markdown = "# Krav fra {{party0.name}}\n\n" + "\n\n".join(paragraphs)
    return page_of(draft(markdown), parsed(markdown), MEANINGS)


def measured(made: Callable[[Page], bytes]) -> dict[str, float]:
    """Return the percentiles over different pages, without the first."""
    times, work = [], []
    for number in range(WARM + ROUNDS):
        given = page(number)
        begun, worked = time.perf_counter(), time.process_time()
        made(given)
        times.append((time.perf_counter() - begun) * 1e3)
        work.append((time.process_time() - worked) * 1e3)
    times, work = sorted(times[WARM:]), work[WARM:]
    return {
        "p50": round(statistics.median(times), 1),
        "p95": round(times[int(len(times) * 0.95)], 1),
        "cpu": round(statistics.median(work), 1),
    }


def main() -> None:
    """Print the times as JSON."""
    pdf = TypstDocuments().made
    pages = int(re.search(rb"/Type/Pages/Count (\d+)", pdf(page(0)))[1])
    print(json.dumps({"pages": pages, "pdf": measured(pdf), "docx": measured(DocxDocuments().made)}))


if __name__ == "__main__":
    main()
