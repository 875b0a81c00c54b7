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
from lovsvar_agent.core.extractive.scopes import is_about, not_for, special_act
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

MAX_ABBREVIATION = 6
"""Letters of an act's abbreviation, at most."""

MAX_LOOKED_UP = 3
"""How many words that nothing found holds are looked up as abbreviations."""

NOT_APPLYING = 0.2
"""What the probability of a provision counts that the question says is for others."""

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
    own. `explained` gives the ledd of a provision that people ask about, `expected` which provisions belong to a
    situation that words describe. `probabilities` are by provision, the greatest that a search gave, `weights` what
    they count in rank, where not fully; `answering` are those that a search finds likely enough; `ledd` is what the
    first search that found it said. `meant` are words near those that nothing has. `acts` are those that the question
    names without a section, `elsewhere` is true when the rule plainly is in another. `choices` are questions to go on
    with by their labels. With `only_related` nothing is said to answer.
    """

    question: str
    earlier: str = ""
    explained: Callable[[str, str], tuple[int, ...]] = lambda refid, section: ()
    expected: Callable[[Matcher, Iterable[Key]], frozenset[Key]] = lambda matcher, found: frozenset()
    remarks: list[str] = field(default_factory=list)
    named: dict[Key, int | None] = field(default_factory=dict)
    names: dict[str, ResolvedReference] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    probabilities: dict[Key, float] = field(default_factory=dict)
    weights: dict[Key, float] = field(default_factory=dict)
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
        expected = self.expected(self.matcher, self.readings)
        candidates = [self._candidate(key, reading, key in expected) for key, reading in self.readings.items()]
        enough, only_related = self._enough(), self.only_related or bool(self.not_searched) or asks_price(self.question)
        if self.earlier:
            own = [c for c in candidates if c.named or self._holds_own_word(c.reading)]
            if (asked_for := select(own, enough, only_related=only_related)).answering:
                return asked_for
        return select(candidates, enough, only_related=only_related)

    def _candidate(self, key: Key, reading: Reading, expected: bool) -> Candidate:
        provision = reading.provision
        special = special_act(provision.refid)
        applies = key in self.named or not_for(self.question, provision.refid) is None
        return Candidate(
            reading,
            self.probabilities.get(key, 0.0),
            self.weights.get(key, 1.0) * (1.0 if applies else NOT_APPLYING),
            answers=key in self.answering and applies,
            named=key in self.named,
            asked_often=bool(self.explained(provision.refid, provision.section)),
            expected=expected,
            of_named_act=provision.refid in self.acts and not self.elsewhere,
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

    def note(self, key: Key, probability: float, share: float = 1.0) -> None:
        """Note that a search gives a provision that probability; it counts by `share` where provisions are ranked."""
        before = self.probabilities.get(key, 0.0)
        counts = max(probability * share, before * self.weights.get(key, 1.0))
        self.probabilities[key] = max(probability, before)
        self.weights[key] = counts / self.probabilities[key] if counts else share

    def take_over(self, alone: "Findings") -> None:
        """Let what answers the question alone answer here too, where it was found here as well."""
        for key in alone.answering & self.readings.keys():
            self.answering.add(key)
            self.note(key, alone.probabilities[key])

    def take_in(self, found: Iterable[Provision]) -> None:
        """Take in provisions that were found otherwise, in the order of their rank: each may be relevant."""
        for provision in found:
            key = key_of(provision.refid, provision.section)
            self.readings.setdefault(key, read(provision, self.matcher))
            self.note(key, RELATED)

    def is_another_act(self, refid: str) -> bool:
        """Whether a document is not among the acts that the question names, and of their type."""
        return refid not in self.acts and refid.partition("/")[0] in {act.partition("/")[0] for act in self.acts}

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
        """Yield the question as those would ask it to whom an act applies that is special to the first one shown."""
        shown = (*selection.answering, *selection.related)
        general = shown[0].reading.provision.refid if shown else ""
        found = [c.special for c in (*shown, *selection.nearest) if c.special and not c.meant]
        for special in {one.refid: one for one in found if general in one.general}.values():
            to = special.to[self.language]
            yield f"{to[:1].upper()}{to[1:]}", f"{self.question.rstrip()} ({to})"

    def _follow_ups(self, selection: Selection) -> Iterator[str]:
        """Yield questions that provisions found answer, which are not shown: of the acts that are, or likely ones."""
        acts = {c.reading.provision.refid for c in (*selection.answering, *selection.related)}
        for one in selection.nearest:
            provision = one.reading.provision
            near = one.standing >= (FURTHER if provision.refid in acts else RELATED)
            if selection.tier is not Tier.NOTHING and provision.title and near:
                topic = provision.title.strip(" .()")
                yield self.phrases.follow_up.format(provision=_name(provision), topic=_in_sentence(topic))

    def _shown(self, candidate: Candidate, place: int, selection: Selection) -> Shown:
        provision = candidate.reading.provision
        found = self._excerpts(candidate.reading, FURTHER_ROOM if place else ROOM)
        kind = reason(self.question, provision.title, " ".join(e.text for e in found), named=candidate.named)
        to = candidate.special.to if candidate.special and not candidate.meant else None
        only_for = to or not_for(self.question, provision.refid) or {}
        line = why(kind, self._words_of(candidate.reading), self.language, only_for.get(self.language, ""))
        return Shown(provision, found, line, candidate in selection.answering)

    def _words_of(self, reading: Reading) -> tuple[str, ...]:
        """Return the question's words that a provision's heading or text has, the rarest of those found first."""
        weights, has = rarity(self.readings.values(), self.matcher.stems), reading.own_words
        there = [word for word in content_words(self.own.rest) if stem(word) in has]
        return tuple(sorted(there, key=lambda word: -weights.get(stem(word), 0.0)))

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
        found = next((p for p in shown if self.is_another_act(p.refid)), None)
        if self.elsewhere and found and shown[0].refid not in self.acts:
            acts = ", ".join(_in_sentence(act_name(act.act)) for act in self.acts.values())
            said.append(self.phrases.not_in_act.format(named=acts, found=_name(found)))
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
    return f"{_in_sentence(act_name(provision.act))} {provision.value}"


def _in_sentence(name: str) -> str:
    """Return a name as it is written inside a sentence: abbreviations and the Constitution keep their capital."""
    keeps = not name[1:2].islower() or name.startswith(("Grunnlov", "Kongeriket"))
    return name if keeps else f"{name[:1].lower()}{name[1:]}"
