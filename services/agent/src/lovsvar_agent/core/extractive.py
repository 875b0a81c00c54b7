"""An answer made of quotes, without a language model.

References in the question are looked up; the question is searched as it was asked, and once more by its
content words when that finds nothing that answers. What is found is read whole, since a quote is taken
from the stored text and not from a snippet. A question about another country's law is answered by nothing but
a provision that it names.

A follow-up is asked alone first, and its answer stands when it surely is one: a provision that it names, one
that is sure in meaning, or what answers a question with enough words of its own. Else it is investigated once
more with the words of what it follows up beside its own, since 'Og hvem får rentene?' says too little alone,
and a few words meet something in any corpus. Of what that finds, provisions that hold a word of the new
question come first, and its words choose what is quoted, lest the first answer is given again. Where the words
together find nothing, whatever the question found alone counts, as for any question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lovsvar_agent.core.abroad import is_about_foreign_law, is_set_abroad
from lovsvar_agent.core.cues import sign
from lovsvar_agent.core.deciding import SITUATION, SURE, Candidate, Decision, decide
from lovsvar_agent.core.following import topic_of
from lovsvar_agent.core.narrowing import NO_FILTERS, in_words
from lovsvar_agent.core.quoting import Passage, Reading, choose, rarity, read
from lovsvar_agent.core.references import Asked, Reference, take_apart
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.toolbox import Toolbox
from lovsvar_agent.core.words import Matcher, content_words, stem
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_contracts.search import ProvisionHits, ProvisionRef, Resolution

MAX_READ_TOKENS = 40_000
"""Size of one read: text and blocks of this many tokens stay well below the 1 MB of a NATS reply."""

MAX_ABBREVIATION = 6
"""Letters of an act's abbreviation, at most."""

MAX_LOOKED_UP = 3
"""How many words that nothing found holds are looked up as abbreviations."""

Key = tuple[str, str]
"""A provision's refid and the key of its section."""


@dataclass(frozen=True)
class Quoting:
    """A provision that answers, and what is quoted of it."""

    provision: Provision
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Draft:
    """What an answer would say: quotes, remarks in Norwegian, and the nearest provisions that do not answer."""

    quotings: tuple[Quoting, ...]
    remarks: tuple[str, ...]
    nearest: tuple[Provision, ...]


@dataclass
class Findings:
    """What a run has found so far; a draft can be made of it at any time.

    `named` are provisions that the question names (with the ledd, if it names one) and `preferred` the acts;
    `names` are words by which it names an act, by their stem, of those that were `looked_up`. `earlier` is what it
    follows up, whose words count beside its own. `scores` are shares of the best score of the search that found the
    provision; `similarities` and `ledd` are what the first search that found it said.
    """

    question: str
    earlier: str = ""
    remarks: list[str] = field(default_factory=list)
    named: dict[Key, int | None] = field(default_factory=dict)
    preferred: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    looked_up: set[str] = field(default_factory=set)
    scores: dict[Key, float] = field(default_factory=dict)
    similarities: dict[Key, float] = field(default_factory=dict)
    ledd: dict[Key, int] = field(default_factory=dict)
    unread: dict[Key, ProvisionRef] = field(default_factory=dict)
    readings: dict[Key, Reading] = field(default_factory=dict)
    corpus_version: int = 0

    def __post_init__(self) -> None:
        self.own = take_apart(self.question)
        self.asked: Asked = together(self.own, take_apart(self.earlier)) if self.earlier else self.own
        self.matcher = Matcher(self.asked.rest)

    def decide(self) -> Decision:
        """Return which provisions answer."""
        candidates = [
            Candidate(
                reading=self._with_names(reading),
                score=self.scores.get(key, 0.0),
                similarity=self.similarities.get(key),
                named=key in self.named,
                preferred=key[0] in self.preferred,
            )
            for key, reading in self.readings.items()
        ]
        if self.earlier:
            own = set(Matcher(self.own.rest).stems)
            asked_for = self._decide([c for c in candidates if own & c.reading.matched.keys()])
            if asked_for.chosen:
                return asked_for
        return self._decide(candidates)

    def _decide(self, candidates: Sequence[Candidate]) -> Decision:
        if is_about_foreign_law(self.question):
            return decide(candidates, ())
        return decide(candidates, self.matcher.stems, by_meaning_alone=is_set_abroad(self.question))

    def stands_alone(self) -> bool:
        """Whether what answers is sure without what the question follows up."""
        chosen = self.decide().chosen
        named_or_sure = any(c.named or (c.similarity or 0.0) >= SURE for c in chosen[:1])
        return named_or_sure or bool(chosen and len(self.matcher.stems) >= SITUATION)

    def unmet_abbreviations(self) -> tuple[str, ...]:
        """Return short words of the question that nothing found holds; each may be an act's abbreviation."""
        met = {word for reading in self.readings.values() for word in reading.matched} | set(self.names)
        unmet = (w for w in content_words(self.asked.rest) if len(w) <= MAX_ABBREVIATION and stem(w) not in met)
        return tuple(w for w in unmet if w not in self.looked_up)[: MAX_LOOKED_UP - len(self.looked_up)]

    def _with_names(self, reading: Reading) -> Reading:
        """Return `reading` with the abbreviations of its act among the question's words that it holds."""
        own = {word: 1.0 for word, refid in self.names.items() if refid == reading.provision.refid}
        return replace(reading, around={**reading.around, **own}) if own else reading

    def draft(self) -> Draft:
        """Return what can be answered from what was found."""
        decision = self.decide()
        quotings = []
        for candidate in decision.chosen:
            provision = candidate.reading.provision
            if chosen := self._quoted(candidate.reading):
                quotings.append(Quoting(provision, chosen))
        nearest = tuple(c.reading.provision for c in decision.nearest)
        return Draft(tuple(quotings), tuple(self.remarks), nearest)

    def _quoted(self, reading: Reading) -> tuple[Passage, ...]:
        """Return what is quoted of a provision, by the question's own words if they tell passages apart."""
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


async def investigate(run: Run, tools: Toolbox, findings: Findings) -> None:
    """Search and read until something answers, or there is nothing more to try."""
    queries = _queries(findings)
    title = "Søker sammen med spørsmålet det følger opp" if findings.earlier else "Søker i lover og forskrifter"
    async with run.step("search", title):
        for reference in findings.asked.references:
            if reference.act:
                _note(findings, reference, await tools.resolve(reference.written))
            else:
                findings.remarks.append(f"Spørsmålet nevner § {reference.section} uten å si i hvilken lov.")
        if not _is_answered_by_name(findings):
            _keep(findings, await tools.find(queries[0]))
    if findings.unread:
        async with run.step("read", "Leser bestemmelsene"):
            await _read(run, tools, findings)
    unmet = findings.unmet_abbreviations()
    if findings.decide().chosen or (len(queries) == 1 and not unmet):
        return
    async with run.step("search", "Søker igjen, bare med ordene det gjelder"):
        for word in unmet:
            findings.looked_up.add(word)
            _note_abbreviation(findings, word, await tools.resolve(word))
        if len(queries) > 1 and not findings.decide().chosen:
            _keep(findings, await tools.find(queries[1]))
    if findings.unread:
        async with run.step("read", "Leser flere bestemmelser"):
            await _read(run, tools, findings)


async def follow_up(run: Run, tools: Toolbox, alone: Findings) -> Findings:
    """Return `alone`, or what is found together with what the question follows up, where that answers better."""
    earlier = topic_of(run.earlier)
    if not earlier or alone.stands_alone():
        return alone
    both = Findings(alone.question, earlier, names=alone.names, looked_up=alone.looked_up)
    await investigate(run, tools, both)
    return alone if alone.decide().chosen and not both.decide().chosen else both


def together(asked: Asked, earlier: Asked) -> Asked:
    """Return a follow-up with what it follows up: a section is of the act named earlier, if one was."""
    acts = {reference.act for reference in earlier.references}
    act = acts.pop() if len(acts) == 1 else ""
    references = tuple(replace(r, act=r.act or act) for r in asked.references)
    return Asked(references, f"{asked.rest} {earlier.rest}".strip())


def _queries(findings: Findings) -> tuple[str, ...]:
    """Return what to search for, the first query first."""
    plain = " ".join(content_words(findings.asked.rest))
    whole = f"{findings.question} {take_apart(findings.earlier).rest}".strip()
    return tuple(dict.fromkeys(q for q in (whole, plain) if q))


def _is_answered_by_name(findings: Findings) -> bool:
    return bool(findings.named) and not findings.matcher.stems


def _note(findings: Findings, reference: Reference, found: Resolution) -> None:
    match found.outcome:
        case "one":
            one = found.matches[0]
            findings.preferred.add(one.refid)
            if one.section:
                findings.named[_key(one.refid, one.section)] = one.ledd
                findings.unread[_key(one.refid, one.section)] = ProvisionRef(refid=one.refid, section=one.section)
        case "several":
            names = ", ".join(f"{m.act} ({m.refid})" for m in found.matches[:4])
            findings.remarks.append(f"«{reference.written}» kan bety flere ting: {names}.")
        case _:
            findings.remarks.append(_not_found(reference))


def _note_abbreviation(findings: Findings, word: str, found: Resolution) -> None:
    if found.outcome == "one" and not found.matches[0].section:
        findings.names[stem(word)] = found.matches[0].refid
        findings.preferred.add(found.matches[0].refid)


def _not_found(reference: Reference) -> str:
    if not reference.section:
        return f"Fant ikke {reference.act}."
    return f"Fant ikke § {reference.section} i {reference.act}."


def _keep(findings: Findings, found: ProvisionHits) -> None:
    """Take in a search's hits, except those that together are too large to be read at once.

    Scores are measured by the best of those that the question does not name, since search lifts the named.
    """
    named = findings.named
    best = max((h.score for h in found.hits if _key(h.refid, h.section) not in named), default=0.0)
    findings.corpus_version = found.corpus_version
    room = MAX_READ_TOKENS
    for hit in found.hits:
        key = _key(hit.refid, hit.section)
        share = min(hit.score / best, 1.0) if best > 0 else 0.0
        findings.scores[key] = max(share, findings.scores.get(key, 0.0))
        if hit.similarity is not None:
            findings.similarities.setdefault(key, hit.similarity)
        if hit.ledd is not None:
            findings.ledd.setdefault(key, hit.ledd)
        if key not in findings.readings and hit.tokens <= room:
            findings.unread.setdefault(key, ProvisionRef(refid=hit.refid, section=hit.section))
            room -= hit.tokens


async def _read(run: Run, tools: Toolbox, findings: Findings) -> None:
    found = await tools.read(tuple(findings.unread.values()))
    findings.unread.clear()
    findings.corpus_version = found.corpus_version
    for provision in found.provisions:
        findings.readings[_key(provision.refid, provision.section)] = read(provision, findings.matcher)
    filters = in_words(run.asked.filters or NO_FILTERS)
    for ref in found.missing if filters else ():
        if _key(ref.refid, ref.section) in findings.named:
            findings.remarks.append(f"{ref.section} i {ref.refid} ble ikke funnet innenfor avgrensningen: {filters}.")


def _key(refid: str, section: str) -> Key:
    return refid, section_key(section)
