"""An answer's prose bound to its quotes, statement by statement.

Every statement that names sources is held to them (`statement_check`), one without is given the source that says the
same, and what states law without any is set apart. Nothing here asks anybody: it is decided by the texts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lovsvar_agent.core.reasoning.phrases import Wording
from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_agent.core.reasoning.prose_check import states_law
from lovsvar_agent.core.reasoning.quote_context import has_verb
from lovsvar_agent.core.reasoning.statement_check import Inquiry, Source, fault, held_to
from lovsvar_agent.core.reasoning.statements import (
    Form,
    Statement,
    edited,
    marked,
    settled_markers,
    statements,
)
from lovsvar_agent.core.reasoning.verdicts import announces, contradicts_itself, expected, leading
from lovsvar_contracts.questions import FlaggedStatement, FlagReason
from lovsvar_legaltext.authorities import authorities_in
from lovsvar_legaltext.closeness import overlap
from lovsvar_legaltext.quotes import find
from lovsvar_legaltext.stances import read_sentence

SAME = 0.6
"""Share of a statement's stems that one sentence of a source has when it says the same."""

LEAST_SAME = 3
"""Stems that both must have then."""

LEAST_WORDS = 2
"""Words that a statement has to be an answer."""

_OF_PRACTICE = re.compile(
    r"\b(?:dom(?:men|mer|mar)?|domstol\w*|kjennels\w+|orskurd\w*|avgjørels\w+|avgjerd\w*|sak(?:en|a)|\w*nemnd\w*|"
    r"(?:ting|lagmanns|høyeste|høgste|trygde)rett\w*|retten(?!\s+(?:til|på))|\w*utvalget|\w*praksis|court|tribunal|ruling|judge?ment|case)\b",
    re.IGNORECASE,
)
_SHOWN = frozenset({FlagReason.CONDITION})
"""What is marked rather than removed: it is true, and not the whole truth."""


@dataclass(frozen=True)
class Flag:
    """A statement and what is wrong with it."""

    statement: Statement
    why: FlagReason

    @property
    def removed(self) -> bool:
        """Whether it is taken out of the answer."""
        return self.why not in _SHOWN


@dataclass(frozen=True)
class Bound:
    """Prose and its statements: those that hold, those flagged, and those that state law without a source."""

    prose: str
    holding: tuple[Statement, ...] = ()
    flags: tuple[Flag, ...] = ()
    apart: tuple[Statement, ...] = ()

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All its statements, in order."""
        every = (*self.holding, *(f.statement for f in self.flags), *self.apart)
        return tuple(sorted(every, key=lambda s: (s.line, s.start)))

    @property
    def flagged(self) -> tuple[FlaggedStatement, ...]:
        """What the answer lists of its flags, each once however often it was said."""
        listed = (
            FlaggedStatement(sentence=f.statement.text, why=f.why, evidence_ids=f.statement.sources, removed=f.removed)
            for f in self.flags
        )
        return tuple(dict.fromkeys(listed))

    @property
    def uncited(self) -> tuple[str, ...]:
        """What states law without a source, each once however often it was said."""
        return tuple(dict.fromkeys(statement.text for statement in self.apart))

    @property
    def answers(self) -> bool:
        """Whether anything that is shown rests on a source."""
        shown = (*self.holding, *(f.statement for f in self.flags if not f.removed))
        return any(s.ids and s.form is not Form.HEADING and len(s.text.split()) >= LEAST_WORDS for s in shown)

    def shown(self, wording: Wording) -> str:
        """Return the prose without what is removed, with marks, and with what has no source under its own heading."""
        marks = {f.statement: f"{f.statement.written} {wording.conditional}" for f in self.flags if not f.removed}
        gone = dict.fromkeys((*(f.statement for f in self.flags if f.removed), *self.apart), "")
        prose = edited(self.prose, {**marks, **gone})
        listed = "\n".join(f"- {text}" for text in self.uncited)
        return f"{prose}\n\n{HEADING}{wording.unsupported}\n\n{listed}".strip() if listed else prose


def bind(prose: str, sources: Mapping[str, Source], asked: Inquiry, ids: str) -> Bound:
    """Return `prose`, whose markers are of `sources` by id, with its statements judged; ids match the pattern `ids`."""
    prose = settled_markers(prose, ids)
    found = statements(prose, ids)
    if given := {s: marked(s, [i]) for s in found if not s.sources and (i := _says_the_same(s, sources, asked))}:
        prose = edited(prose, given)
        found = statements(prose, ids)
    holding, flags, apart = list[Statement](), list[Flag](), list[Statement]()
    for place, one in enumerate(found):
        following = [s.text for s in found[place + 1 : place + 3] if s.form is not Form.HEADING]
        if why := _fault(one, following, sources, asked):
            flags.append(Flag(one, why))
        elif _states_law(one) and not _rests(one, sources):
            apart.append(one)
        else:
            holding.append(one)
    if wrong := [s for s in verdicts(found) if _is_wrong(s, found, sources, asked)]:
        flags = [*(Flag(s, FlagReason.NEGATION) for s in wrong), *(f for f in flags if f.statement not in wrong)]
        holding = [s for s in holding if s not in wrong]
        apart = [s for s in apart if s not in wrong]
    return Bound(prose, tuple(holding), tuple(flags), tuple(apart))


def _states_law(one: Statement) -> bool:
    """Whether a statement says what the law is; "Ja, det skal den" says it of what follows."""
    verdict, said = leading(one.text)
    if verdict is not None and not read_sentence(said).about:
        return False
    return states_law(one.text, heading=one.form is Form.HEADING)


def _rests(one: Statement, sources: Mapping[str, Source]) -> bool:
    """Whether a statement of law names a source; a search engine's excerpt is one of what it says of practice alone."""
    named = [sources[i] for i in one.sources if i in sources]
    only_excerpts = bool(named) and all(c.excerpt for s in named for c in s.citations)
    of_practice = bool(_OF_PRACTICE.search(one.text) or authorities_in(one.text))
    return bool(one.sources) and (of_practice or not only_excerpts)


def _fault(
    one: Statement, following: Sequence[str], sources: Mapping[str, Source], asked: Inquiry
) -> FlagReason | None:
    named = [sources[i] for i in one.sources if i in sources]
    _, said = leading(one.text)
    if named and ((why := fault(said or one.text, following, held_to(named), asked)) or _has_law(named)):
        return why
    # What names no source, or an excerpt alone, may still speak against the law that it is about.
    about = read_sentence(said).about
    law = [s for s in sources.values() if s.proves_law]
    near = [s for s in law if _share(about, s) >= SAME] if len(about) >= LEAST_SAME else []
    why = fault(said, following, held_to(near), asked) if near else None
    return why if why in (FlagReason.NEGATION, FlagReason.MODALITY, FlagReason.QUANTITY) else None


def _has_law(named: Sequence[Source]) -> bool:
    return any(s.proves_law for s in named)


def _share(about: frozenset[str], source: Source) -> float:
    contexts = (read_sentence(whole).about for whole in source.contexts)
    return max((overlap(about, theirs) / len(about) for theirs in contexts), default=0.0)


def _says_the_same(one: Statement, sources: Mapping[str, Source], asked: Inquiry) -> str | None:
    """Return the cited source that has the words of a statement, or most of them in one of its quoted sentences.

    "Tre års opptjeningstid" is no statement: whether it answers, only who cites it for that can tell.
    """
    if one.form is Form.HEADING or not _states_law(one) or not has_verb(one.text):
        return None
    _, said = leading(one.text)
    about = read_sentence(said).about
    for evidence_id, source in sources.items():
        if not source.proves_law:
            continue
        if len(said.split()) > LEAST_SAME and find(said.rstrip(". "), source.text):
            return evidence_id
        if len(about) >= LEAST_SAME and _share(about, source) >= SAME:
            return evidence_id if fault(said, (), held_to([source]), asked) is None else None
    return None


def verdicts(found: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements that give an answer's Yes or No: its first, in a heading or not, and what announces one."""
    firsts = (*found[:1], *[s for s in found if s.form is not Form.HEADING][:1])
    announcing = (s for s in found if announces(s.text))
    return tuple(s for s in dict.fromkeys((*firsts, *announcing)) if leading(s.text)[0] is not None)


def _is_wrong(one: Statement, found: Sequence[Statement], sources: Mapping[str, Source], asked: Inquiry) -> bool:
    """Whether its own law speaks against the Yes or No that a statement gives."""
    verdict, rest = leading(one.text)
    if verdict is None:
        return False
    second = next((s for s in found[found.index(one) + 1 :] if s.form is not Form.HEADING), None)
    named = one.sources or (second.sources if second else ()) or tuple(sources)
    quoted = [part for i in named if i in sources for part in sources[i].contexts]
    if not read_sentence(rest).about and contradicts_itself(asked.question, verdict, rest):
        return True
    said = [rest] if len(rest.split()) > LEAST_SAME else []
    said += [second.text] if second else []
    rights = (
        expected(asked.question, text, asked.language) for text in (*said, *(" ".join(q.split()) for q in quoted))
    )
    right = next((r for r in rights if r is not None), None)
    return right is not None and right is not verdict
