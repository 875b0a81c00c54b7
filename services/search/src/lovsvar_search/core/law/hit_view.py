"""A hit as it is shown: with a snippet, and the words that match marked."""

from collections.abc import Mapping
from dataclasses import dataclass

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.search import ProvisionHit
from lovsvar_search.core.law.sections import StoredHit
from lovsvar_search.core.law.signals import SIGNALS
from lovsvar_search.core.retrieval.analysis import Vocabulary
from lovsvar_search.core.retrieval.candidates import Scored
from lovsvar_search.core.retrieval.snippets import cut_snippet, mark_words
from lovsvar_search.core.retrieval.vector_search import Near


@dataclass(frozen=True, slots=True)
class HitView:
    """How what a query finds is shown. `weights` are of every term that counts as a match."""

    terms: frozenset[str]
    weights: Mapping[str, float]
    vocabulary: Vocabulary
    near: Near

    def hit(self, scored: Scored, stored: StoredHit, *, explain: bool) -> ProvisionHit:
        """Return a hit with its snippet, the matching words marked."""
        number = scored.candidate.number
        nearest, similarity = self.near.passages.get(number), self.near.similarity(number)
        ledd = nearest.part if nearest else None
        snippet = cut_snippet(stored.text, self.weights, self.weights, stored.ledd_starts, ledd)
        parts = scored.parts(SIGNALS) if explain else None
        return ProvisionHit(
            refid=stored.refid,
            section=stored.section,
            act=stored.act,
            title=stored.title,
            law_type=stored.law_type,
            path=stored.path,
            snippet=snippet.text,
            marks=mark_words(snippet.text, snippet.stems, self.terms, self.vocabulary.analyze),
            ledd=snippet.part,
            score=round(scored.score, 4),
            in_force=stored.in_force,
            url=viewer_path(stored.refid, stored.section),
            lovdata_url=lovdata_url(stored.refid, stored.section),
            tokens=stored.tokens,
            sample=stored.sample,
            similarity=None if similarity is None else round(similarity, 4),
            probability=None if scored.probability is None else round(scored.probability, 4),
            score_parts=None if parts is None else {name: round(value, 4) for name, value in parts.items()},
        )
