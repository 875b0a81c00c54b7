"""What is recommended beside an answer: chosen by a model, or found by the question itself."""

import asyncio
import re
import time
from collections.abc import Collection, Iterable, Sequence

from lovsvar_agent.core.earlier_turns import with_topic
from lovsvar_agent.core.ports import ProductSearch
from lovsvar_agent.core.products.catalogue_access import CatalogueAccess, access_of
from lovsvar_agent.core.products.phrases import PHRASES, offer_language
from lovsvar_agent.core.run import Run, elapsed_ms
from lovsvar_agent.core.source_kinds.product import PRODUCT
from lovsvar_contracts.blocks import (
    AnswerBlock,
    Emergency,
    Quote,
    Recommendation,
    Recommendations,
    Remark,
    RemarkRole,
    SourceList,
)
from lovsvar_contracts.catalogues import Catalogue, CatalogueId, ProductHit
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Evidence
from lovsvar_contracts.run_events import ToolCalled, ToolResult

NAME = "search_products"
"""What the search is called, as a tool and in the events of a run."""

SECONDS = 1.5
"""How long the agent's own search may take: an answer is given without products rather than late."""

MAX_RECOMMENDED = 5
FITS = 0.4
"""Similarity from which a product fits a question that has an offer word of its catalogue.

By words and meaning, the best products have 0.5 to 0.9 for questions that are about them, and up to 0.45 for others.
"""

SURELY_FITS = 0.68
"""Similarity from which it fits a question that has none, and that the law alone may answer."""

OF_BEST = 0.7
"""Share of the best product's similarity that another one needs: what is far behind it fills the list alone."""


class Offers:
    """The products of one run."""

    def __init__(self, run: Run, search: ProductSearch | None) -> None:
        self._run = run
        self._search = search

    @property
    def found(self) -> tuple[Evidence, ...]:
        """The products found so far, in the order of their ids."""
        return tuple(e for e in self._run.evidence.all if e.source == PRODUCT.prefix)

    async def fitting(self) -> tuple[str, ...]:
        """Search with the question itself; return the ids of what fits it, best first, and never raise for a failure.

        Where the question has an offer word of a catalogue, its items need fit less surely.
        """
        run = self._run
        access = await access_of(run.asked, self._search)
        if access is None or run.tool_calls_left <= 0:
            return ()
        query = with_topic(run.asked.question, run.earlier)
        offering = [one.catalogue for one in access.catalogues if one.offer or one.offer_words]
        if not offering:
            return ()
        wanted = [one.catalogue for one in access.catalogues if is_offered(one, query)]
        async with run.step("products", "Ser etter tilbud som kan hjelpe"):
            hits = _fitting(await self._announced(access, query, offering), wanted)
            await run.announce(run.evidence.add(PRODUCT, hits))
        return tuple(run.evidence.of(PRODUCT, hit).evidence_id for hit in hits)

    async def block(self, ids: Iterable[str]) -> Recommendations | None:
        """Return the products of these ids, as the catalogues have them; None without any. Unknown ids are dropped."""
        access = await access_of(self._run.asked, self._search)
        found = {e.evidence_id: e for e in self.found}
        chosen = [found[one] for one in dict.fromkeys(ids) if one in found]
        items = _items(chosen, access) if access else ()
        if not items:
            return None
        language = offer_language(self._run.asked.question, self._run.asked.locale)
        said = PHRASES[language]
        return Recommendations(title=said.title, note=said.note, language=language, invented=said.invented, items=items)

    async def _announced(
        self, access: CatalogueAccess, query: str, among: Sequence[CatalogueId]
    ) -> tuple[ProductHit, ...]:
        """Search some catalogues, with events; nothing where it fails or takes too long."""
        run, call_id = self._run, self._run.count_tool_call()
        await run.emit(ToolCalled, call_id=call_id, name=NAME, arguments={"query": query})
        began, error = time.perf_counter(), None
        hits: tuple[ProductHit, ...] = ()
        try:
            async with asyncio.timeout(SECONDS):
                hits = await access.find(query, among)
        except ProblemError as exc:
            error = exc.problem.detail
        except TimeoutError:
            error = "Søket i tilbud svarte ikke i tide."
        await run.emit(ToolResult, call_id=call_id, name=NAME, hits=len(hits), ms=elapsed_ms(began), error=error)
        return hits


def beside(blocks: Sequence[AnswerBlock], offered: Recommendations | None) -> tuple[AnswerBlock, ...]:
    """Return an answer's blocks with what is recommended after them, before what is said of how it was made.

    Nothing is recommended to somebody in danger whom the law found does not answer.
    """
    danger_alone = any(isinstance(b, Emergency) for b in blocks) and not any(
        isinstance(b, Quote | SourceList) for b in blocks
    )
    if offered is None or danger_alone:
        return tuple(blocks)
    ends = isinstance(blocks[-1], Remark) and blocks[-1].role is RemarkRole.MODE
    at = len(blocks) - 1 if ends else len(blocks)
    return (*blocks[:at], offered, *blocks[at:])


def is_offered(catalogue: Catalogue, question: str) -> bool:
    """Whether a question has one of the words, or beginnings of words, that make an offer of the catalogue fit."""
    text = question.casefold()
    return any(re.search(rf"(?<!\w){re.escape(word.casefold())}", text) for word in catalogue.offer_words if word)


def _fitting(hits: Sequence[ProductHit], wanted: Collection[CatalogueId]) -> list[ProductHit]:
    """Return the hits that fit, less surely where they are of a catalogue that the question has an offer word of."""
    fit = [hit for hit in hits if hit.similarity >= (FITS if hit.catalogue in wanted else SURELY_FITS)]
    best = max((hit.similarity for hit in fit), default=0.0)
    return [hit for hit in fit if hit.similarity >= OF_BEST * best]


def _items(chosen: Sequence[Evidence], access: CatalogueAccess) -> tuple[Recommendation, ...]:
    """Return items of catalogues that are still served, as many of each as it recommends, five at most."""
    counts: dict[str, int] = {}
    items: list[Recommendation] = []
    for one in chosen:
        catalogue = access.named(one.catalogue)
        if catalogue is None or counts.get(catalogue.catalogue, 0) >= catalogue.recommend:
            continue
        counts[catalogue.catalogue] = counts.get(catalogue.catalogue, 0) + 1
        items.append(
            Recommendation(
                evidence_id=one.evidence_id,
                name=one.title,
                price=one.price or catalogue.no_price,
                why=one.snippet,
                url=one.url,
                catalogue=catalogue.name,
                language=catalogue.language,
                invented=catalogue.invented,
            )
        )
    return tuple(items[:MAX_RECOMMENDED])
