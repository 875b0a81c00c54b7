"""Searching for what answers a question by quotes, without a language model.

References in the question are looked up; the question is searched as it was asked, once more without the name of an act
that it names, since the rule may be in another, and once more by its content words, with abbreviations of acts written
out, when nothing surely answers. What is found is read whole, since a quote is taken from the stored text and not from
a snippet. A question about another country's law, and one without words of its own, is answered by nothing but a
provision that it names.

A follow-up is asked alone first, and its answer counts when it surely is one: a provision that it names, one that is
sure, or what answers a question with enough words of its own. Else it is searched once more with the words of what it
follows up and its own, since 'Og hvem får rentene?' says too little alone. What answers it alone and is found again
answers then too. Of all that answers, provisions that hold a word of the new question come first, and its words choose
what is quoted, so that the first answer is not repeated. Where the words together find nothing, whatever the question
found alone counts, as for any question.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.earlier_turns import NAMES_ITS_TOPIC, topic_of
from lovsvar_agent.core.extractive.cues import asks_price, sign
from lovsvar_agent.core.extractive.excerpts import Excerpt, Focus, Reading, excerpts, rarity, read
from lovsvar_agent.core.extractive.foreign_law import is_about_foreign_law, is_set_abroad
from lovsvar_agent.core.extractive.phrases import PHRASES, quoted_list
from lovsvar_agent.core.extractive.premises import is_in, quotations, source_types
from lovsvar_agent.core.extractive.reasons import reason, why
from lovsvar_agent.core.extractive.scopes import is_about, special_act
from lovsvar_agent.core.extractive.selection import (
    ASKED_OFTEN,
    FURTHER,
    SURE,
    Candidate,
    Selection,
    likely_enough,
    select,
)
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.tools.law_access import MAX_READ_TOKENS
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.questions import Tier
from lovsvar_contracts.search import ProvisionHits, ProvisionRef, Resolution, ResolvedReference
from lovsvar_legaltext.language import language_of
from lovsvar_legaltext.words import Matcher, content_words, stem
from lovsvar_legaltext.written_references import Asked, Reference, take_apart
from lovsvar_rendering.names import act_name

ROOM = 1_400
"""Characters that are quoted of the provision that comes first."""

FURTHER_ROOM = 900
"""Characters that are quoted of each other."""

OTHER_ACT = 2.0
"""A rule is in another act than the one named when its best hit there is so many times as probable."""

LIKELY_THERE = 0.15
"""And has at least this probability."""

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
    `choices` are questions to go on with by their labels.
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
        enough, only_related = self._enough(), bool(self.not_searched) or asks_price(self.question)
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
        key = _key(reading.provision.refid, reading.provision.section)
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


async def investigate(run: Run, tools: AnnouncedSearch, findings: Findings) -> None:
    """Search and read until something answers, or there is nothing more to try."""
    whole = f"{findings.question} {take_apart(findings.earlier).rest}".strip()
    title = "Søker sammen med spørsmålet det følger opp" if findings.earlier else "Søker i lover og forskrifter"
    async with run.step("search", title):
        for reference in findings.asked.references:
            if reference.act:
                _note(findings, reference, await tools.resolve(reference.written))
            else:
                findings.remarks.append(findings.phrases.section_without_act.format(section=reference.section))
        if not findings.named or findings.matcher.stems:
            _keep(findings, await tools.find(whole))
        if findings.acts and not findings.named and (query := _without_acts(findings, whole)):
            _keep_elsewhere(findings, await tools.find(query))
    if findings.unread:
        async with run.step("read", "Leser bestemmelsene"):
            await _read(run, tools, findings)
    unmet = findings.unmet_abbreviations()
    if findings.select().answering or (not unmet and _by_content_words(findings) in {"", whole}):
        return
    async with run.step("search", "Søker igjen, bare med ordene det gjelder"):
        for word in unmet:
            findings.looked_up.add(word)
            found = await tools.resolve(word)
            if found.outcome == "one" and not found.matches[0].section:
                findings.names[word] = found.matches[0]
        query = _by_content_words(findings)
        if query not in {"", whole}:
            _keep(findings, await tools.find(query))
    if findings.unread:
        async with run.step("read", "Leser flere bestemmelser"):
            await _read(run, tools, findings)


async def follow_up(run: Run, tools: AnnouncedSearch, alone: Findings) -> Findings:
    """Return `alone`, or what is found together with what the question follows up, where that answers better."""
    earlier = topic_of(run.earlier)
    if not earlier or alone.stands_alone():
        return alone
    both = Findings(alone.question, earlier, alone.explained, names=alone.names, looked_up=alone.looked_up)
    await investigate(run, tools, both)
    both.take_over(alone)
    return alone if alone.select().answering and not both.select().answering else both


def together(asked: Asked, earlier: Asked) -> Asked:
    """Return a follow-up with what it follows up: a section is of the act named earlier, if one was."""
    acts = {reference.act for reference in earlier.references}
    act = acts.pop() if len(acts) == 1 else ""
    references = tuple(replace(r, act=r.act or act) for r in asked.references)
    return Asked(references, f"{asked.rest} {earlier.rest}".strip())


def _by_content_words(findings: Findings) -> str:
    """Return the query of content words alone, in which acts have their names in place of abbreviations."""
    return " ".join(
        act_name(findings.names[word].act) if word in findings.names else word
        for word in content_words(findings.asked.rest)
    )


def _without_acts(findings: Findings, query: str) -> str:
    """Return a query without the names of the acts that are named without a section."""
    for reference in findings.asked.references:
        if reference.act and not reference.section:
            query = query.replace(reference.act, "")
    return query.strip() if content_words(query) else ""


def _note(findings: Findings, reference: Reference, found: Resolution) -> None:
    """Note what a reference names, or that it names nothing or several things."""
    matches = found.matches[:MAX_CANDIDATES]
    for match in matches:
        if match.section:
            _name_one(findings, match)
    if found.outcome == "one" and not matches[0].section:
        findings.acts[matches[0].refid] = matches[0]
    each = found.references[0] if found.references else None
    alike = tuple(near for near in each.nearest if not near.section) if each else ()
    if not matches:
        near = [one.section for one in each.nearest if one.section] if each else []
        findings.remarks.append(findings.phrases.not_found(reference.section or "", reference.act, near))
    namesakes = each.namesakes if each else ()
    if len(matches) > 1 or namesakes or alike:
        _offer(findings, reference, (*matches, *namesakes, *alike))


def _offer(findings: Findings, reference: Reference, meant: Sequence[ResolvedReference]) -> None:
    """Say that a reference may be several things, and offer the question about each act."""
    phrases = findings.phrases
    names = []
    for one in meant:
        force = phrases.in_force.get(one.in_force, "")
        name = f"{act_name(one.act)}{f' {one.section}' if one.section else ''} ({one.refid})"
        names.append(f"{name}, {force}" if force else name)
        findings.choices[f"{act_name(one.act)} ({one.refid})"] = findings.question.replace(reference.act, one.refid)
    findings.remarks.append(phrases.several.format(reference=reference.written, names="; ".join(names)))


def _name_one(findings: Findings, one: ResolvedReference) -> None:
    key = _key(one.refid, one.section or "")
    findings.named[key] = one.ledd
    findings.unread[key] = ProvisionRef(refid=one.refid, section=one.section or "")


def _keep_elsewhere(findings: Findings, found: ProvisionHits) -> None:
    """Take in the hits of a search without the acts that the question names, if the rule plainly is in another.

    What was found in the acts that are named then comes after it.
    """
    inside = max((hit.probability or 0.0 for hit in found.hits if hit.refid in findings.acts), default=0.0)
    outside = max((hit.probability or 0.0 for hit in found.hits if hit.refid not in findings.acts), default=0.0)
    if outside < max(OTHER_ACT * inside, LIKELY_THERE):
        return
    findings.elsewhere = True
    for key in [key for key in findings.probabilities if key[0] in findings.acts]:
        findings.probabilities[key] = min(findings.probabilities[key], outside / (OTHER_ACT * ASKED_OFTEN))
    findings.answering = {key for key in findings.answering if key[0] not in findings.acts}
    _keep(findings, found)


def _keep(findings: Findings, found: ProvisionHits) -> None:
    """Take in a search's hits, except those that together are too large to be read at once."""
    findings.meant = found.did_you_mean or findings.meant
    passed_over = findings.acts if findings.elsewhere else {}
    findings.answering |= {_key(hit.refid, hit.section) for hit in likely_enough(found) if hit.refid not in passed_over}
    room = MAX_READ_TOKENS
    for hit in found.hits:
        if hit.refid in passed_over:
            continue
        key = _key(hit.refid, hit.section)
        findings.probabilities[key] = max(hit.probability or 0.0, findings.probabilities.get(key, 0.0))
        if hit.ledd is not None:
            findings.ledd.setdefault(key, hit.ledd)
        if key not in findings.readings and hit.tokens <= room:
            findings.unread.setdefault(key, ProvisionRef(refid=hit.refid, section=hit.section))
            room -= hit.tokens


async def _read(run: Run, tools: AnnouncedSearch, findings: Findings) -> None:
    found = await tools.read(tuple(findings.unread.values()))
    findings.unread.clear()
    for provision in found.provisions:
        findings.readings[_key(provision.refid, provision.section)] = read(provision, findings.matcher)
    filters = in_words(run.asked.filters or NO_FILTERS)
    for ref in found.missing if filters else ():
        if _key(ref.refid, ref.section) in findings.named:
            name = f"{ref.refid} {ref.section}"
            findings.remarks.append(findings.phrases.outside_filters.format(name=name, filters=filters))


def _key(refid: str, section: str) -> Key:
    return refid, section_key(section)


def _name(provision: Provision) -> str:
    """Return how a provision is named in a sentence: 'husleieloven § 3-5'."""
    return f"{act_name(provision.act)} {provision.value}"
