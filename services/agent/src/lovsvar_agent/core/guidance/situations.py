"""Situations that people find themselves in, and which of them an answer belongs to.

The file has an entry for each, in three languages. An entry holds no text of the law: its deadline names a sentence,
which is quoted from the corpus.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from lovsvar_agent.core.guidance.dangers import Danger
from lovsvar_agent.core.guidance.emergencies import dangers
from lovsvar_contracts.blocks import Contact
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import ProvisionRef
from lovsvar_legaltext.explanations import LANGUAGES, ledd_texts
from lovsvar_legaltext.language import QUESTION_WORDS, Language
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.words import PART, Matcher, content_words, stem, words

SPECIFIC_WORDS = 2
SPECIFIC_LETTERS = 12
"""A phrase of so many content words and letters says by itself which situation is meant."""

SPECIFIC_WORD = 14
"""So does one word of so many letters: 'tvangsmedisinert'."""

TELLING = 2
"""How many provisions after its first one tell as much of a situation."""

WHOLE_WORD = 0.9
PART_OF_WORD = PART
"""What words must be worth (`Matcher`) where a less telling provision is shown, and where a telling one is."""

NOTICED = 2
"""How many of the provisions shown are looked at."""

FIRST = 10.0
LATER = 5.0
"""What the first provision shown counts, and each other one, against words."""

Translated = Mapping[Language, str]
Place = tuple[str, str]
"""A provision's refid and the key of its section, or of its chapter (`kap15`)."""


class BadSituations(ValueError):
    """The file of situations cannot be read. The message names the entry."""


@dataclass(frozen=True)
class Deadline:
    """A deadline in words, and the sentence that sets it, counted from 1 over the lines of a ledd."""

    provision: ProvisionRef
    ledd: int
    sentence: int
    words: Translated

    def quote(self, provision: Provision) -> str | None:
        """Return the sentence that sets the deadline; None when `provision` has no such sentence."""
        text = ledd_texts(provision.blocks).get(self.ledd, "")
        sentences = [line[a:b] for line in text.splitlines() for a, b in sentence_spans(line, 0, len(line))]
        return sentences[self.sentence - 1] if self.sentence <= len(sentences) else None


@dataclass(frozen=True)
class Situation:
    """What to do next in a situation. `provisions` are those whose answers it belongs to, the most telling first.

    `words` are phrases by which people describe it, in any language, `dangers` those whose victims are in it. `checked`
    is the day on which it was last read against the law and against the page of the body that helps.
    """

    id: str
    title: Translated
    provisions: tuple[Place, ...]
    words: tuple[str, ...]
    steps: Mapping[Language, tuple[str, ...]]
    contact: Mapping[Language, Contact]
    checked: date
    deadline: Deadline | None = None
    decides: Translated | None = None
    cost: Translated | None = None
    letter: Translated | None = None
    dangers: frozenset[Danger] = frozenset()

    @cached_property
    def acts(self) -> frozenset[str]:
        """The refids of its provisions."""
        return frozenset(refid for refid, _ in self.provisions)


def parse_situations(text: str) -> tuple[Situation, ...]:
    """Return the situations of a file in TOML. Raises `BadSituations`."""
    try:
        entries = tomllib.loads(text)["situation"]
    except (tomllib.TOMLDecodeError, KeyError) as exc:
        raise BadSituations(f"no list of situations: {exc}") from exc
    found: dict[str, Situation] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") or f"number {number}"
        try:
            one = _situation(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as exc:
            raise BadSituations(f"situation {name}: {exc!r}") from exc
        if one.id in found:
            raise BadSituations(f"situation {name}: the id is not unique")
        found[one.id] = one
    return tuple(found.values())


def _situation(entry: Mapping[str, Any]) -> Situation:
    if not entry["id"]:
        raise ValueError("no id")
    if not isinstance(entry["checked"], date):
        raise ValueError("checked is no date")
    if not (entry["provisions"] and entry["words"]):
        raise ValueError("no provisions or no words")
    body = entry["body"]
    does = _translated(body["does"])
    return Situation(
        id=entry["id"],
        title=_translated(entry["title"]),
        provisions=tuple(map(place, entry["provisions"])),
        words=tuple(entry["words"]),
        steps={language: tuple(entry["steps"][language]) for language in LANGUAGES},
        contact={
            language: Contact(name=name, does=does[language], phone=body.get("phone", ""), url=body["url"])
            for language, name in _translated(body).items()
        },
        checked=entry["checked"],
        deadline=_deadline(entry["deadline"]) if "deadline" in entry else None,
        dangers=frozenset(map(Danger, entry.get("dangers", ()))),
        **{name: _translated(entry[name]) for name in ("decides", "cost", "letter") if name in entry},
    )


def _deadline(entry: Mapping[str, Any]) -> Deadline:
    law_type, day, section = entry["provision"].split("/", 2)
    ledd, sentence = int(entry["ledd"]), int(entry["sentence"])
    if ledd < 1 or sentence < 1:
        raise ValueError("ledd and sentence count from 1")
    return Deadline(ProvisionRef(refid=f"{law_type}/{day}", section=section), ledd, sentence, _translated(entry))


def _translated(entry: Mapping[str, Any]) -> Translated:
    if missing := [language for language in LANGUAGES if not str(entry[language]).strip()]:
        raise ValueError(f"nothing in {missing[0]}")
    return {language: str(entry[language]) for language in LANGUAGES}


def place(written: str) -> Place:
    """Return the refid and the section key of `lov/2005-06-17-62/§15-3`. Raises `ValueError`."""
    law_type, day, section = written.split("/", 2)
    return f"{law_type}/{day}", section_key(section)


class Situations:
    """All situations, found by the provisions of an answer and the words of its question."""

    def __init__(self, situations: Iterable[Situation] = ()) -> None:
        self.all = tuple(situations)
        self._held: dict[Place, list[Situation]] = {}
        for one in self.all:
            for held in one.provisions:
                self._held.setdefault(held, []).append(one)
        self._phrases = {one.id: tuple(map(_key_words, one.words)) for one in self.all}
        self._specific = tuple(
            (one, stems, frozenset(stems.split()))
            for one in self.all
            for phrase in one.words
            if _is_specific(phrase) and (stems := _stems(phrase))
        )
        self._of_danger = {danger: one for one in reversed(self.all) for danger in one.dangers}

    def of(self, question: str, shown: Sequence[Place], *, sure: bool = True) -> Situation | None:
        """Return the situation that an answer belongs to, if one does.

        `shown` are the provisions of the answer, best first; `sure` is whether the first of them answers. The situation
        of somebody who describes a danger comes first. Then one that has the first of `shown` belongs to it when
        the question has its words, or when that surely answers, is its most telling one, and no other has it. One that
        has the second needs words that are specific; one of which only an act is shown, the words of a specific phrase
        in any order. Where nothing is shown, such a phrase of several words decides as it is written.
        """
        if endangered := self._endangered(question):
            return endangered
        matcher = Matcher(question)
        fits = [(self._fit(one, matcher, shown, sure=sure), one) for one in self._of_any(shown[:NOTICED])]
        fit, best = max(fits, key=lambda each: each[0], default=(0.0, None))
        return best if fit else self._by_phrase(question, shown)

    def _endangered(self, question: str) -> Situation | None:
        """Return the situation of a danger that a question describes, the most urgent one's."""
        found = dangers(question) if self._of_danger else frozenset()
        return next((self._of_danger[danger] for danger in Danger if danger in found & self._of_danger.keys()), None)

    def telling(self, matcher: Matcher, found: Iterable[Place]) -> frozenset[Place]:
        """Return those of `found` that are among the most telling of a situation that the question has words of."""
        return frozenset(
            place for place in found if any(self._tells(one, place, matcher) for one in self._held.get(place, ()))
        )

    def _tells(self, one: Situation, held: Place, matcher: Matcher) -> bool:
        return held in one.provisions[: TELLING + 1] and self._said(one, matcher) >= PART_OF_WORD

    def _said(self, one: Situation, matcher: Matcher) -> float:
        """Return how well a question has the words of a situation's best phrase."""
        return max((_worth(phrase, matcher) for phrase in self._phrases[one.id]), default=0.0)

    def _of_any(self, shown: Sequence[Place]) -> list[Situation]:
        """Return the situations that have any of `shown`."""
        found = (one for each in shown for key in (each, _chapter(each)) for one in self._held.get(key, ()))
        return list({one.id: one for one in found}.values())

    def _fit(self, one: Situation, matcher: Matcher, shown: Sequence[Place], *, sure: bool) -> float:
        said = self._said(one, matcher)
        position = _position(one, shown[0])
        if position is None:
            return LATER + said if said >= SPECIFIC_WORDS else 0.0
        if said >= (WHOLE_WORD if position > TELLING else PART_OF_WORD):
            return FIRST + said + 1 / (2 + position)
        return FIRST if sure and position == 0 and self._of_any(shown[:1]) == [one] else 0.0

    def _by_phrase(self, question: str, shown: Sequence[Place]) -> Situation | None:
        """Return the situation of the longest specific phrase in a question, of the acts shown if any are."""
        asked, acts = _stems(question), {refid for refid, _ in shown}
        said = frozenset(asked.split())
        fitting = [
            (len(stems), one)
            for one, stems, each in self._specific
            if each <= said and (acts & one.acts if acts else " " in stems and f" {stems} " in f" {asked} ")
        ]
        return max(fitting, key=lambda each: each[0])[1] if fitting else None


def _position(one: Situation, shown: Place) -> int | None:
    """Return where a situation has a provision among its own, by itself or by its chapter."""
    return next((n for n, held in enumerate(one.provisions) if held in (shown, _chapter(shown))), None)


def _chapter(shown: Place) -> Place:
    """Return the chapter of a provision that is numbered by chapters; a place that does not exist for any other."""
    refid, section = shown
    return refid, f"kap{section.removeprefix('§').partition('-')[0]}"


def _key_words(phrase: str) -> tuple[str, ...]:
    return tuple(word for word in content_words(phrase) if word not in QUESTION_WORDS)


def _is_specific(phrase: str) -> bool:
    found = _key_words(phrase)
    return len(phrase) >= (SPECIFIC_LETTERS if len(found) >= SPECIFIC_WORDS else SPECIFIC_WORD) and bool(found)


def _stems(text: str) -> str:
    return " ".join(map(stem, words(text)))


def _worth(phrase: tuple[str, ...], matcher: Matcher) -> float:
    """Return how well a question has all words of a phrase: 0 when one is missing."""
    worths = [max(matcher.match([word]).values(), default=0.0) for word in phrase]
    return sum(worths) if all(worths) else 0.0
