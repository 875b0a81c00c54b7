"""An answer made of quotes, without a language model.

References in the question are looked up; the question is searched as it was asked, and once more by its
content words, with abbreviations of acts written out, when that finds nothing that answers. What is found is read
whole, since a quote is taken from the stored text and not from a snippet. A question about another country's law, and
one without words of its own, is answered by nothing but a provision that it names.

A follow-up is asked alone first, and its answer counts when it surely is one: a provision that it names, one that is
sure, or what answers a question with enough words of its own. Else it is searched once more with the words of what it
follows up and its own, since 'Og hvem får rentene?' says too little alone. What answers it alone and is found again
answers then too. Of all that answers, provisions that hold a word of the new question come first, and its words choose
what is quoted, so that the first answer is not repeated. Where the words together find nothing, whatever the question
found alone counts, as for any question.
"""

import math
from dataclasses import dataclass, field, replace

from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.answerability import SURE, Candidate, Decision, decide, likely_enough
from lovsvar_agent.core.composing import did_you_mean
from lovsvar_agent.core.cues import sign
from lovsvar_agent.core.earlier_turns import NAMES_ITS_TOPIC, topic_of
from lovsvar_agent.core.foreign_law import is_about_foreign_law, is_set_abroad
from lovsvar_agent.core.passages import Passage, Reading, choose, rarity, read
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.tools.law_access import MAX_READ_TOKENS
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import ProvisionHits, ProvisionRef, Resolution, ResolvedReference
from lovsvar_legaltext.words import Matcher, content_words, stem
from lovsvar_legaltext.written_references import Asked, Reference, take_apart
from lovsvar_rendering.names import act_name

MAX_ABBREVIATION = 6
"""Letters of an act's abbreviation, at most."""

MAX_LOOKED_UP = 3
"""How many words that nothing found holds are looked up as abbreviations."""

Key = tuple[str, str]
"""A provision's refid and the key of its section."""


@dataclass(frozen=True)
class Draft:
    """What an answer would say.

    `quoted` are the provisions that answer, with what is quoted of each; `remarks` are in Norwegian; `nearest` are
    provisions that do not answer.
    """

    quoted: tuple[tuple[Provision, tuple[Passage, ...]], ...]
    remarks: tuple[str, ...]
    nearest: tuple[Provision, ...]


@dataclass
class Findings:
    """What a run has found so far; a draft can be made of it at any time.

    `named` are provisions that the question names (with the ledd, if it names one); `names` are acts by the word by
    which it names them, of those that were `looked_up`. `earlier` is what it follows up, whose words count with its
    own. `probabilities` are by provision, the greatest that a search gave; `answering` are those that a search finds
    likely enough; `ledd` is what the first search that found it said. `meant` are words near those that nothing has.
    """

    question: str
    earlier: str = ""
    remarks: list[str] = field(default_factory=list)
    named: dict[Key, int | None] = field(default_factory=dict)
    names: dict[str, ResolvedReference] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    probabilities: dict[Key, float] = field(default_factory=dict)
    answering: set[Key] = field(default_factory=set)
    ledd: dict[Key, int] = field(default_factory=dict)
    meant: tuple[str, ...] = ()
    unread: dict[Key, ProvisionRef] = field(default_factory=dict)
    readings: dict[Key, Reading] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.own = take_apart(self.question)
        self.asked: Asked = together(self.own, take_apart(self.earlier)) if self.earlier else self.own
        self.matcher = Matcher(self.asked.rest)

    def decide(self) -> Decision:
        """Return which provisions answer."""
        candidates = [
            Candidate(reading, self.probabilities.get(key, 0.0), key in self.answering, key in self.named)
            for key, reading in self.readings.items()
        ]
        enough = self._enough()
        if self.earlier:
            asked_for = decide([c for c in candidates if c.named or self._holds_own_word(c.reading)], enough)
            if asked_for.chosen:
                return asked_for
        return decide(candidates, enough)

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
        chosen = self.decide().chosen
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
        decision = self.decide()
        readings = (candidate.reading for candidate in decision.chosen)
        quoted = tuple((r.provision, chosen) for r in readings if (chosen := self._quoted(r)))
        meant = (did_you_mean(self.meant),) if self.meant and not quoted else ()
        return Draft(quoted, (*self.remarks, *meant), tuple(c.reading.provision for c in decision.nearest))

    def _quoted(self, reading: Reading) -> tuple[Passage, ...]:
        """Return what is quoted of a provision, by the question's own words if they distinguish passages."""
        key = _key(reading.provision.refid, reading.provision.section)
        places = self.named.get(key), self.ledd.get(key)
        if self.earlier:
            own = Matcher(self.own.rest)
            alone = read(reading.provision, own)
            if any(alone.matches) or any(sign(self.question, passage.text) for passage in alone.passages):
                weights = rarity((read(r.provision, own) for r in self.readings.values()), own.stems)
                return choose(alone, own, self.own.rest, weights, *places)
        weights = rarity(self.readings.values(), self.matcher.stems)
        return choose(reading, self.matcher, self.asked.rest, weights, *places)


async def investigate(run: Run, tools: AnnouncedSearch, findings: Findings) -> None:
    """Search and read until something answers, or there is nothing more to try."""
    whole = f"{findings.question} {take_apart(findings.earlier).rest}".strip()
    title = "Søker sammen med spørsmålet det følger opp" if findings.earlier else "Søker i lover og forskrifter"
    async with run.step("search", title):
        for reference in findings.asked.references:
            if reference.act:
                _note(findings, reference, await tools.resolve(reference.written))
            else:
                findings.remarks.append(f"Spørsmålet nevner § {reference.section} uten å si i hvilken lov.")
        if not findings.named or findings.matcher.stems:
            _keep(findings, await tools.find(whole))
    if findings.unread:
        async with run.step("read", "Leser bestemmelsene"):
            await _read(run, tools, findings)
    unmet = findings.unmet_abbreviations()
    if findings.decide().chosen or (not unmet and _by_content_words(findings) in {"", whole}):
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
    both = Findings(alone.question, earlier, names=alone.names, looked_up=alone.looked_up)
    await investigate(run, tools, both)
    both.take_over(alone)
    return alone if alone.decide().chosen and not both.decide().chosen else both


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


def _note(findings: Findings, reference: Reference, found: Resolution) -> None:
    match found.outcome:
        case "one":
            one = found.matches[0]
            if one.section:
                findings.named[_key(one.refid, one.section)] = one.ledd
                findings.unread[_key(one.refid, one.section)] = ProvisionRef(refid=one.refid, section=one.section)
        case "several":
            names = ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:4])
            findings.remarks.append(f"«{reference.written}» kan bety flere ting: {names}.")
        case _:
            section = f"§ {reference.section} i " if reference.section else ""
            findings.remarks.append(f"Fant ikke {section}{reference.act}.")


def _keep(findings: Findings, found: ProvisionHits) -> None:
    """Take in a search's hits, except those that together are too large to be read at once."""
    findings.meant = found.did_you_mean or findings.meant
    findings.answering |= {_key(hit.refid, hit.section) for hit in likely_enough(found)}
    room = MAX_READ_TOKENS
    for hit in found.hits:
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
            findings.remarks.append(f"{ref.section} i {ref.refid} ble ikke funnet innenfor avgrensningen: {filters}.")


def _key(refid: str, section: str) -> Key:
    return refid, section_key(section)
