"""What a run has found for a question, and what an answer by quotes would say of it."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from lovsvar_agent.core.earlier_turns import NAMES_ITS_TOPIC
from lovsvar_agent.core.extractive.cues import asks_price, sign
from lovsvar_agent.core.extractive.excerpts import Excerpt, Focus, Reading, excerpts, rarity, read
from lovsvar_agent.core.extractive.foreign_law import is_about_foreign_law, is_set_abroad
from lovsvar_agent.core.extractive.phrases import PHRASES, quoted_list
from lovsvar_agent.core.extractive.premises import is_in, quotations, source_types
from lovsvar_agent.core.extractive.reasons import reason, why
from lovsvar_agent.core.extractive.scopes import is_about, special_act
from lovsvar_agent.core.extractive.selection import (
    FURTHER,
    RELATED,
    SURE,
    Candidate,
    Selection,
    select,
)
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Tier
from lovsvar_contracts.search import ProvisionRef, ResolvedReference
from lovsvar_legaltext.language import language_of
from lovsvar_legaltext.words import Matcher, content_words, stem
from lovsvar_legaltext.written_references import Asked, take_apart
from lovsvar_rendering.names import act_name

ROOM = 2_200
"""Characters that are quoted of the provision that comes first."""

FURTHER_ROOM = 1_400
"""Characters that are quoted of each other."""

MAX_CANDIDATES = 4
"""How many acts or provisions of one name are shown."""

MAX_ABBREVIATION = 6
"""Letters of an act's abbreviation, at most."""

MAX_LOOKED_UP = 3
"""How many words that nothing found holds are looked up as abbreviations."""

Key = tuple[str, str]
"""A provision's refid and the key of its section."""


@dataclass(frozen=True)
class Shown:
    """A provision with what is quoted of it, why, and whether it answers or only may be relevant."""

    provision: Provision
    excerpts: tuple[Excerpt, ...]
    why: str
    answers: bool


@dataclass(frozen=True)
class Draft:
    """What an answer would say: provisions in order, remarks in the question's language, and what may be meant.

    `nearest` are provisions that are not shown. `meant` are questions to choose from where it is open what is asked,
    each by its label; `narrower` the question for those to whom a special act applies; `follow_ups` what can be asked
    next.
    """

    tier: Tier
    shown: tuple[Shown, ...]
    remarks: tuple[str, ...]
    nearest: tuple[Provision, ...]
    meant: tuple[tuple[str, str], ...] = ()
    narrower: tuple[tuple[str, str], ...] = ()
    follow_ups: tuple[str, ...] = ()


@dataclass
class Findings:
    """What a run has found so far; a draft can be made of it at any time.

    `named` are provisions that the question names (with the ledd, if it names one); `names` are acts by the word by
    which it names them, of those that were `looked_up`. `earlier` is what it follows up, whose words count with its
    own. `probabilities` are by provision, the greatest that a search gave; `answering` are those that a search finds
    likely enough; `ledd` is what the first search that found it said. `meant` are words near those that nothing has.
    `acts` are those that the question names without a section, `elsewhere` is true when the rule plainly is in another.
    `choices` are questions to go on with by their labels. With `only_related` nothing is said to answer.
    """

    question: str
    earlier: str = ""
    explained: Callable[[str, str], tuple[int, ...]] = lambda refid, section: ()
    remarks: list[str] = field(default_factory=list)
    named: dict[Key, int | None] = field(default_factory=dict)
    names: dict[str, ResolvedReference] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    probabilities: dict[Key, float] = field(default_factory=dict)
    answering: set[Key] = field(default_factory=set)
    ledd: dict[Key, int] = field(default_factory=dict)
    meant: tuple[str, ...] = ()
    acts: dict[str, ResolvedReference] = field(default_factory=dict)
    elsewhere: bool = False
    choices: dict[str, str] = field(default_factory=dict)
    unread: dict[Key, ProvisionRef] = field(default_factory=dict)
    readings: dict[Key, Reading] = field(default_factory=dict)
    only_related: bool = False

    def __post_init__(self) -> None:
        self.own = take_apart(self.question)
        self.asked: Asked = together(self.own, take_apart(self.earlier)) if self.earlier else self.own
        self.matcher = Matcher(self.asked.rest)
        self.language = language_of(self.question)
        self.phrases = PHRASES[self.language]
        self.not_searched = source_types(self.question)

    def select(self) -> Selection:
        """Return which provisions are shown."""
        candidates = [self._candidate(key, reading) for key, reading in self.readings.items()]
        enough, only_related = self._enough(), self.only_related or bool(self.not_searched) or asks_price(self.question)
        if self.earlier:
            own = [c for c in candidates if c.named or self._holds_own_word(c.reading)]
            if (asked_for := select(own, enough, only_related=only_related)).answering:
                return asked_for
        return select(candidates, enough, only_related=only_related)

    def _candidate(self, key: Key, reading: Reading) -> Candidate:
        provision = reading.provision
        special = special_act(provision.refid)
        return Candidate(
            reading,
            self.probabilities.get(key, 0.0),
            answers=key in self.answering,
            named=key in self.named,
            asked_often=bool(self.explained(provision.refid, provision.section)),
            special=special,
            meant=special is not None and (provision.refid in self.acts or is_about(self.question, special)),
        )

    def _enough(self) -> float:
        """Return the least probability of a hit that answers; none has it where only what is named does."""
        if is_about_foreign_law(self.question) or not self.matcher.stems:
            return math.inf
        return SURE if is_set_abroad(self.question) else 0.0

    def _holds_own_word(self, reading: Reading) -> bool:
        """Whether a provision holds a word of the question itself, or is of an act that it names by one."""
        own = content_words(self.own.rest)
        acts = {self.names[word].refid for word in own if word in self.names}
        return reading.provision.refid in acts or any(stem(word) in reading.matched for word in own)

    def stands_alone(self) -> bool:
        """Whether what answers is sure without what the question follows up."""
        chosen = self.select().answering
        if not chosen:
            return False
        return chosen[0].named or chosen[0].standing >= SURE or len(self.matcher.stems) >= NAMES_ITS_TOPIC

    def take_over(self, alone: "Findings") -> None:
        """Let what answers the question alone answer here too, where it was found here as well."""
        for key in alone.answering & self.readings.keys():
            self.answering.add(key)
            self.probabilities[key] = max(alone.probabilities[key], self.probabilities.get(key, 0.0))

    def take_in(self, found: Iterable[Provision]) -> None:
        """Take in provisions that were found otherwise, in the order of their rank: each may be relevant."""
        for provision in found:
            key = key_of(provision.refid, provision.section)
            self.readings.setdefault(key, read(provision, self.matcher))
            self.probabilities[key] = max(RELATED, self.probabilities.get(key, 0.0))

    def unmet_abbreviations(self) -> tuple[str, ...]:
        """Return short words of the question that nothing found holds; each may be an act's abbreviation."""
        met = {word for reading in self.readings.values() for word in reading.matched}
        unmet = (w for w in content_words(self.asked.rest) if len(w) <= MAX_ABBREVIATION and stem(w) not in met)
        return tuple(w for w in unmet if w not in self.looked_up)[: MAX_LOOKED_UP - len(self.looked_up)]

    def draft(self) -> Draft:
        """Return what can be answered from what was found."""
        selection = self.select()
        candidates = (*selection.answering, *selection.related)
        shown = tuple(self._shown(c, place, selection) for place, c in enumerate(candidates))
        return Draft(
            selection.tier,
            shown,
            tuple(self._remarks(selection)),
            tuple(c.reading.provision for c in selection.nearest),
            tuple(self.choices.items()),
            tuple(self._narrower(selection)),
            tuple(self._follow_ups(selection)),
        )

    def _narrower(self, selection: Selection) -> Iterator[tuple[str, str]]:
        """Yield the question as those would ask it to whom a special act applies that was found with a general one."""
        found = (*selection.answering, *selection.related, *selection.nearest)
        acts = {c.reading.provision.refid for c in found}
        specials = {c.special.refid: c.special for c in found if c.special and not c.meant}
        for special in specials.values():
            if acts & set(special.general):
                to = special.to[self.language]
                yield f"{to[:1].upper()}{to[1:]}", f"{self.question.rstrip()} ({to})"

    def _follow_ups(self, selection: Selection) -> Iterator[str]:
        """Yield questions that provisions found answer, which are not shown."""
        for one in selection.nearest:
            provision = one.reading.provision
            if selection.tier is not Tier.NOTHING and provision.title and one.standing >= FURTHER:
                topic = provision.title.strip(" .()")
                yield self.phrases.follow_up.format(provision=_name(provision), topic=topic[:1].lower() + topic[1:])

    def _shown(self, candidate: Candidate, place: int, selection: Selection) -> Shown:
        provision = candidate.reading.provision
        found = self._excerpts(candidate.reading, FURTHER_ROOM if place else ROOM)
        kind = reason(self.question, provision.title, " ".join(e.text for e in found), named=candidate.named)
        only_for = candidate.special.to[self.language] if candidate.special and not candidate.meant else ""
        return Shown(
            provision, found, why(kind, provision.title, self.language, only_for), candidate in selection.answering
        )

    def _excerpts(self, reading: Reading, room: int) -> tuple[Excerpt, ...]:
        """Return what is quoted of a provision, by the question's own words if they distinguish its ledd."""
        key = key_of(reading.provision.refid, reading.provision.section)
        places = self.named.get(key), self.ledd.get(key), self.explained(*key)
        if self.earlier:
            own = Matcher(self.own.rest)
            alone = read(reading.provision, own)
            if any(alone.matches) or sign(self.question, reading.provision.text):
                weights = rarity((read(r.provision, own) for r in self.readings.values()), own.stems)
                return excerpts(alone, Focus(self.own.rest, own, weights, *places), room)
        weights = rarity(self.readings.values(), self.matcher.stems)
        return excerpts(reading, Focus(self.asked.rest, self.matcher, weights, *places), room)

    def _remarks(self, selection: Selection) -> list[str]:
        """Return what is to be said of the question before what is quoted."""
        said = [self.phrases.not_searched.format(kind=self.phrases.source_types[kind]) for kind in self.not_searched]
        said += self.remarks
        shown = [c.reading.provision for c in (*selection.answering, *selection.related)]
        named = [reading.provision for key, reading in self.readings.items() if key in self.named]
        for quote in quotations(self.question):
            if is_in(quote, shown):
                where = next(p for p in shown if is_in(quote, [p]))
                said.append(self.phrases.quote_found.format(quote=quote, where=_name(where)))
            elif named:
                where_named = ", ".join(map(_name, named))
                said.append(self.phrases.quote_missing.format(quote=quote, where=where_named))
            else:
                said.append(self.phrases.quote_missing_everywhere.format(quote=quote))
        if shown and self.elsewhere and shown[0].refid not in self.acts:
            acts = ", ".join(act_name(act.act) for act in self.acts.values())
            said.append(self.phrases.not_in_act.format(named=acts, found=_name(shown[0])))
        if self.meant and selection.tier is Tier.NOTHING:
            said.append(self.phrases.did_you_mean.format(words=quoted_list(self.meant, self.language)))
        return said


def together(asked: Asked, earlier: Asked) -> Asked:
    """Return a follow-up with what it follows up: a section is of the act named earlier, if one was."""
    acts = {reference.act for reference in earlier.references}
    act = acts.pop() if len(acts) == 1 else ""
    references = tuple(replace(r, act=r.act or act) for r in asked.references)
    return Asked(references, f"{asked.rest} {earlier.rest}".strip())


def key_of(refid: str, section: str) -> Key:
    """Return what a provision is known by."""
    return refid, section_key(section)


def _name(provision: Provision) -> str:
    """Return how a provision is named in a sentence: 'husleieloven § 3-5'."""
    return f"{act_name(provision.act)} {provision.value}"
