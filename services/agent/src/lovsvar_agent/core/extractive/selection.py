"""Which of the provisions found are shown, in which order, and how surely they answer.

A provision that the question names answers it. Else search decides: it says how likely each hit answers, and whether
the best one is likely enough to answer with, by a bound that is chosen from labelled questions. What comes next in rank
is shown as what may be relevant, so that nobody is left without the law that was found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lovsvar_agent.core.extractive.excerpts import Reading
from lovsvar_agent.core.extractive.scopes import SpecialAct, yields_to
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Tier
from lovsvar_contracts.search import ProvisionHit, ProvisionHits

MAX_ANSWERING = 3
MAX_SHOWN = 4

BESIDE = 0.6
"""A further hit answers when its probability is at least this share of the best's."""

SURE = 0.9
"""Probability from which an answer is sure: it needs no more words, and holds for what is set abroad."""

RELATED = 0.085
"""Probability from which the best hit may be relevant.

Of the questions that the law answers, four in a hundred have less, and nine in ten of those about other things.
"""

FURTHER = 0.02
"""The same for those after it."""

ASKED_OFTEN = 3.0
"""By what the probability of a provision that people often ask about counts more, where provisions are ranked."""

OF_THE_SITUATION = 3.0
"""The same for one of the most telling provisions of a situation that the question describes."""

NOT_LAW = frozenset({InForce.NOT_YET, InForce.REPEALED})
"""What is quoted only where it is the best: a reader takes whatever else is quoted for law."""

_NOT_YET = 0.5


@dataclass(frozen=True)
class Candidate:
    """A provision that was read, with the `probability` that it answers; 0 when search does not say.

    `weight` is what that counts where provisions are ranked, less where only a part of the question was searched.
    `answers` is true when a search finds it likely enough (`likely_enough`), `named` when the question names the
    provision itself, `asked_often` when it is one of those that people ask about most, `expected` when it belongs to a
    situation that the question describes, `of_named_act` when it is of an act that the question names and that may
    hold the rule. `special` is its act, if that is for some people or things only, `meant` whether the question says
    that it is about them.
    """

    reading: Reading
    probability: float = 0.0
    weight: float = 1.0
    answers: bool = False
    named: bool = False
    asked_often: bool = False
    expected: bool = False
    of_named_act: bool = False
    special: SpecialAct | None = None
    meant: bool = False

    @property
    def standing(self) -> float:
        """The probability; what is not in force yet counts half."""
        return self.probability * (_NOT_YET if self.reading.provision.in_force is InForce.NOT_YET else 1.0)

    @property
    def rank(self) -> tuple[bool, float]:
        """Candidates are sorted by this, the greatest first."""
        prior = (ASKED_OFTEN if self.asked_often else 1.0) * (OF_THE_SITUATION if self.expected else 1.0)
        return self.named, self.standing * self.weight * prior


@dataclass(frozen=True)
class Selection:
    """The provisions that answer, those that may be relevant, and the nearest of the others, each best first."""

    answering: tuple[Candidate, ...] = ()
    related: tuple[Candidate, ...] = ()
    nearest: tuple[Candidate, ...] = ()

    @property
    def tier(self) -> Tier:
        """How surely the question is answered."""
        return Tier.ANSWERS if self.answering else Tier.RELATED if self.related else Tier.NOTHING


def likely_enough(found: ProvisionHits) -> tuple[ProvisionHit, ...]:
    """Return the hits to answer with: none unless the reply says `answers`, and only those close to the best of all."""
    if not found.answers or found.probability is None:
        return ()
    enough = BESIDE * found.probability
    return tuple(hit for hit in found.hits if hit.probability is not None and hit.probability >= enough)


def select(candidates: Sequence[Candidate], enough: float = 0.0, *, only_related: bool = False) -> Selection:
    """Return what is shown of `candidates`, in order.

    Those that the question names always answer, and alone. Else those do that a search finds likely enough, if the
    best one's standing is at least `enough`; none with `only_related`. Where `enough` is not reached, nothing may be
    relevant either. Where an act is named, one of its provisions is shown if any may be relevant. An act for some
    people only comes after the general act that is found too, or before it when the question is about them: it answers
    then, if the general act does.
    """
    ranked = sorted((c for c in candidates if c.reading.ledd), key=lambda c: c.rank, reverse=True)
    if named := [c for c in ranked if c.named][:MAX_SHOWN]:
        return Selection(tuple(named), (), _rest(ranked, named))
    best = max((c.standing for c in ranked), default=0.0)
    if not ranked or best < max(enough, RELATED):
        return Selection(nearest=_rest(ranked, ()))
    ranked = in_scope_order(ranked)
    likely = [] if only_related else [c for c in ranked if c.answers or _answers_before_general(c, ranked)]
    answering = [c for c in likely if _is_law_or_best(c, best)][:MAX_ANSWERING]
    related = [c for c in ranked if c not in answering and c.standing >= FURTHER and _is_law_or_best(c, best)]
    related = _with_named_act(related, MAX_SHOWN - len(answering), answering)
    return Selection(tuple(answering), tuple(related), _rest(ranked, [*answering, *related]))


def _with_named_act(related: Sequence[Candidate], room: int, answering: Sequence[Candidate]) -> list[Candidate]:
    """Return as many as there is room for, with the best one of an act that is named if none of it answers."""
    kept = list(related[:room])
    of_act = next((c for c in related if c.of_named_act), None)
    if of_act is not None and of_act not in kept and kept and not any(c.of_named_act for c in answering):
        kept[-1] = of_act
    return kept


def in_scope_order(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with each special act after the best one of its general act, or before it where it is meant."""
    ordered = list(ranked)
    for special in [c for c in ranked if c.special]:
        general = next((c for c in ordered if yields_to(special.special, c.reading.provision.refid)), None)
        if general is None:
            continue
        first, second = (special, general) if special.meant else (general, special)
        if ordered.index(first) > ordered.index(second) and first.standing >= FURTHER:
            ordered.remove(first)
            ordered.insert(ordered.index(second), first)
    return ordered


def _answers_before_general(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether the general act answers, for people in whose own act `candidate` is: so that this comes before it."""
    return (
        candidate.meant
        and candidate.standing >= RELATED
        and any(c.answers and yields_to(candidate.special, c.reading.provision.refid) for c in others)
    )


def _is_law_or_best(candidate: Candidate, best: float) -> bool:
    return candidate.reading.provision.in_force not in NOT_LAW or candidate.standing >= best


def _rest(ranked: Sequence[Candidate], shown: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(c for c in ranked if c not in shown)[:MAX_ANSWERING]
