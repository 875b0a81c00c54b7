"""Searching for what answers a question by quotes, without a language model.

References in the question are looked up. The question is searched as it was asked; one that names an act once more by
what it says of the rule, without that name and the words that ask where in the act it is, since the rule may be in
another. When nothing surely answers, it is searched by parts of it: by its content words, with abbreviations of acts
written out, and by the sentences that ask, where others tell the story around them. What a part finds counts less,
since it leaves out what the rest says; it never surely answers without the story, or where what the
whole question finds is hardly relevant. What is found is read
whole, since a quote is taken from the stored text and not from a snippet. A question about another country's law, and
one without words of its own, is answered by nothing but a provision that it names.

A follow-up is asked alone first, and its answer counts when it surely is one: a provision that it names, one that is
sure, or what answers a question with enough words of its own. Else it is searched once more with the words of what it
follows up and its own, since 'Og hvem får rentene?' says too little alone. What answers it alone and is found again
answers then too. Of all that answers, provisions that hold a word of the new question come first, and its words choose
what is quoted, so that the first answer is not repeated. Where the words together find nothing, whatever the question
found alone counts, as for any question.
"""

from collections.abc import Sequence

from lovsvar_agent.core.announced_search import AnnouncedSearch
from lovsvar_agent.core.earlier_turns import topic_of
from lovsvar_agent.core.extractive.excerpts import read
from lovsvar_agent.core.extractive.findings import Findings, key_of
from lovsvar_agent.core.extractive.query_parts import asking_sentences, by_content_words, rule_asked_for
from lovsvar_agent.core.extractive.selection import RELATED, likely_enough
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words
from lovsvar_agent.core.run import Run
from lovsvar_agent.core.tools.law_access import MAX_READ_TOKENS
from lovsvar_contracts.search import ProvisionHits, ProvisionRef, Resolution, ResolvedReference
from lovsvar_legaltext.written_references import Reference, articles_without_act, take_apart
from lovsvar_rendering.names import act_name

NAMED_ACT = 0.5
"""What a hit's probability counts in a search that names its act: the name alone makes it more probable."""

BY_NAME_ALONE = 0.2
"""The same where nothing of that act is found without its name."""

LIKELY_THERE = 0.05
"""A rule may be in another act than the one named when its best hit there has at least this probability."""

PLAINLY = 2.0
"""By how much more probable the best hit elsewhere must be than the best one in the act named, of one search."""

BELOW = 6.0
"""How many times less probable than the best hit elsewhere what is found in the named act counts then."""

IN_PART = 0.3
"""What a hit's probability counts in a search by a part of the question: it leaves out what the rest says."""

MAX_CANDIDATES = 4
"""How many acts or provisions of one name are shown."""


async def investigate(run: Run, tools: AnnouncedSearch, findings: Findings) -> None:
    """Search and read until something answers, or there is nothing more to try."""
    whole = f"{findings.question} {take_apart(findings.earlier).rest}".strip()
    title = "Søker sammen med spørsmålet det følger opp" if findings.earlier else "Søker i lover og forskrifter"
    async with run.step("search", title):
        for reference in findings.asked.references:
            if reference.act:
                _note(findings, reference, await tools.resolve(reference.written))
            else:
                findings.remarks.append(findings.phrases.without_act.format(named=f"§ {reference.section}"))
        for article in articles_without_act(findings.question):
            findings.remarks.append(findings.phrases.without_act.format(named=f"artikkel {article}"))
        if not findings.named or findings.matcher.stems:
            _keep(findings, await tools.find(whole))
        if findings.acts and not findings.named and (query := _rule_asked_for(findings, whole)):
            _keep_elsewhere(findings, await tools.find(query))
    if findings.unread:
        async with run.step("read", "Leser bestemmelsene"):
            await _read(run, tools, findings)
    unmet, asking = findings.unmet_abbreviations(), _asking(findings)
    if findings.select().answering or not (unmet or _in_part(findings, whole)):
        return
    may_answer = max(findings.probabilities.values(), default=RELATED) >= RELATED
    async with run.step("search", "Søker igjen, bare med ordene det gjelder"):
        for word in unmet:
            findings.looked_up.add(word)
            found = await tools.resolve(word)
            if found.outcome == "one" and not found.matches[0].section:
                findings.names[word] = found.matches[0]
        for query in _in_part(findings, whole):
            _keep(findings, await tools.find(query), IN_PART, answers=may_answer and query != asking)
    if findings.unread:
        async with run.step("read", "Leser flere bestemmelser"):
            await _read(run, tools, findings)


async def follow_up(run: Run, tools: AnnouncedSearch, alone: Findings) -> Findings:
    """Return `alone`, or what is found together with what the question follows up, where that answers better."""
    earlier = topic_of(run.earlier)
    if not earlier or alone.stands_alone():
        return alone
    both = Findings(
        alone.question, earlier, alone.explained, alone.expected, names=alone.names, looked_up=alone.looked_up
    )
    await investigate(run, tools, both)
    both.take_over(alone)
    return alone if alone.select().answering and not both.select().answering else both


def _in_part(findings: Findings, whole: str) -> tuple[str, ...]:
    """Return the queries by a part of the question: its content words, and what asks if the rest tells a story."""
    queries = dict.fromkeys((_content_words_of(findings), _asking(findings)))
    return tuple(query for query in queries if query not in {"", whole})


def _content_words_of(findings: Findings) -> str:
    return by_content_words(findings.asked.rest, {word: act_name(one.act) for word, one in findings.names.items()})


def _asking(findings: Findings) -> str:
    """Return the sentences of the question that ask; nothing of one that follows another up."""
    return "" if findings.earlier else asking_sentences(findings.question)


def _rule_asked_for(findings: Findings, query: str) -> str:
    return rule_asked_for(query, [r.act for r in findings.asked.references if r.act and not r.section])


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
    key = key_of(one.refid, one.section or "")
    findings.named[key] = one.ledd
    findings.unread[key] = ProvisionRef(refid=one.refid, section=one.section or "")


def _keep_elsewhere(findings: Findings, found: ProvisionHits) -> None:
    """Take in the hits of a search without the acts that the question names, if the rule plainly is in another.

    What was found in the acts that are named then comes after it. A regulation is no other place than an act: it may be
    made under it.
    """
    inside = max((hit.probability or 0.0 for hit in found.hits if hit.refid in findings.acts), default=0.0)
    named = max((p for (refid, _), p in findings.probabilities.items() if refid in findings.acts), default=0.0)
    outside = max((hit.probability or 0.0 for hit in found.hits if findings.is_another_act(hit.refid)), default=0.0)
    counts = NAMED_ACT if inside else BY_NAME_ALONE
    if outside < max(PLAINLY * inside, counts * named, LIKELY_THERE):
        return
    findings.elsewhere = True
    for key in [key for key in findings.probabilities if key[0] in findings.acts]:
        findings.probabilities[key] = min(findings.probabilities[key], outside / BELOW)
    findings.answering = {key for key in findings.answering if key[0] not in findings.acts}
    _keep(findings, found)


def _keep(findings: Findings, found: ProvisionHits, share: float = 1.0, *, answers: bool = True) -> None:
    """Take in a search's hits, except those that together are too large to be read at once.

    Their probabilities count by `share` where provisions are ranked. Without `answers` none of them surely answers.
    """
    findings.meant = found.did_you_mean or findings.meant
    passed_over = findings.acts if findings.elsewhere else {}
    if answers:
        findings.answering |= {
            key_of(hit.refid, hit.section) for hit in likely_enough(found) if hit.refid not in passed_over
        }
    room = MAX_READ_TOKENS
    for hit in found.hits:
        if hit.refid in passed_over:
            continue
        key = key_of(hit.refid, hit.section)
        findings.note(key, hit.probability or 0.0, share)
        if hit.ledd is not None:
            findings.ledd.setdefault(key, hit.ledd)
        if key not in findings.readings and hit.tokens <= room:
            findings.unread.setdefault(key, ProvisionRef(refid=hit.refid, section=hit.section))
            room -= hit.tokens


async def _read(run: Run, tools: AnnouncedSearch, findings: Findings) -> None:
    found = await tools.read(tuple(findings.unread.values()))
    findings.unread.clear()
    for provision in found.provisions:
        findings.readings[key_of(provision.refid, provision.section)] = read(provision, findings.matcher)
    filters = in_words(run.asked.filters or NO_FILTERS)
    for ref in found.missing if filters else ():
        if key_of(ref.refid, ref.section) in findings.named:
            name = f"{ref.refid} {ref.section}"
            findings.remarks.append(findings.phrases.outside_filters.format(name=name, filters=filters))
