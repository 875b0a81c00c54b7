"""The guidance that belongs to a provision or an answer."""

from collections.abc import Iterable, Mapping, Sequence

from lovsvar_agent.core.guidance import emergencies
from lovsvar_agent.core.guidance.situations import Place, Situation, Situations
from lovsvar_contracts import blocks
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_legaltext.explanations import Explanation, ledd_texts, text_hash
from lovsvar_legaltext.language import Language
from lovsvar_legaltext.words import Matcher

LABEL: Mapping[Language, str] = {
    "nb": "Forklart av Lovsvar, ikke lovtekst",
    "nn": "Forklart av Lovsvar, ikkje lovtekst",
    "en": "Explained by Lovsvar, not the text of the law",
}


class Guidance:
    """What Lovsvar says beside the law, found by provisions and by the question."""

    def __init__(self, explanations: Iterable[Explanation] = (), situations: Iterable[Situation] = ()) -> None:
        self._explanations = {(e.refid, section_key(e.section)): e for e in explanations}
        self._situations = Situations(situations)

    def emergency(self, question: str, language: Language) -> blocks.Emergency | None:
        """Return whom to call at once; None when a question does not describe somebody in danger."""
        return emergencies.emergency(question, language)

    def situation(self, question: str, shown: Sequence[Place], *, sure: bool = True) -> Situation | None:
        """Return the situation that an answer with the provisions `shown` (best first) belongs to, if one does.

        `sure` is whether the first of them answers.
        """
        return self._situations.of(question, shown, sure=sure)

    def expected(self, matcher: Matcher, found: Iterable[Place]) -> frozenset[Place]:
        """Return those of `found` that belong before others to a situation that the question describes."""
        return self._situations.telling(matcher, found)

    def explained_ledd(self, refid: str, section: str) -> tuple[int, ...]:
        """Return the ledd of a provision that are explained; none of those that people seldom ask about."""
        found = self._explanations.get((refid, section_key(section)))
        return found.ledd if found else ()

    def explanation(self, provision: Provision, evidence_id: str, language: Language) -> blocks.Explanation | None:
        """Return what a provision says in plain words; None when its text is not the one that was explained.

        What is not explained in `language` is explained in bokmål.
        """
        found = self._explanations.get((provision.refid, section_key(provision.section)))
        if found is None:
            return None
        texts = ledd_texts(provision.blocks)
        if text_hash(texts.get(number, "") for number in found.ledd) != found.text_hash:
            return None
        words = found.words.get(language) or found.words["nb"]
        return blocks.Explanation(
            label=LABEL[language], evidence_id=evidence_id, ledd=found.ledd, words=blocks.plain(words)
        )


NO_GUIDANCE = Guidance()
"""Of a system that has none."""
