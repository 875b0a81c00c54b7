"""What a clause permits, demands, affirms or denies of which act: "kan ikke kreve", "plikter å melde", "gjelder ikke".

Known by modal words and by words of denial in bokmål, nynorsk and English. It says what a sentence does with a verb, so
that two sentences about the same verb can be compared.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from lovsvar_legaltext.bokmal_words import in_bokmal, is_english
from lovsvar_legaltext.clauses import Clause, Role, clauses
from lovsvar_legaltext.modality import Force
from lovsvar_legaltext.words import content_words, stem, words

_DENIALS_TEXT = "ikke ikkje ingen inga intet inkje aldri verken korkje not no never neither nor none nobody cannot"
DENIALS = frozenset(_DENIALS_TEXT.split())
DENYING = rf"""(?: {"|".join(sorted(DENIALS))} | uten | utan | without | med\s+mindre | unless | unntatt | unnateke )"""
"""Denials and what excepts, as a part of a pattern with white space: what each list of words that deny begins with."""

_MODALS: dict[str, Force] = {
    **dict.fromkeys(("kan", "kunne", "may", "can", "could", "cannot"), Force.PERMIT),
    **dict.fromkeys(
        ("skal", "må", "skulle", "måtte", "plikter", "pliktar", "shall", "must", "trenger", "treng", "behøver", "need"),
        Force.OBLIGE,
    ),
    **dict.fromkeys(("bør", "burde", "should"), Force.ADVISE),
}
_NEEDS = frozenset({"trenger", "treng", "behøver", "need"})
_NOUNS: dict[str, Force] = {
    **dict.fromkeys(("rett", "adgang", "lov", "høve", "krav", "tillatt", "tillate", "lovlig", "lovleg"), Force.ENTITLE),
    **dict.fromkeys(("right", "entitled", "allowed", "permitted", "lawful"), Force.ENTITLE),
    **dict.fromkeys(("plikt", "pliktig", "duty", "obliged", "required", "obligation"), Force.OBLIGE),
    **dict.fromkeys(("forbudt", "forbode", "ulovlig", "ulovleg", "forbidden", "prohibited", "unlawful"), Force.FORBID),
}
_BETWEEN = frozenset({"til", "på", "for", "å", "to", "the", "a", "om"})
_INFINITIVE = frozenset({"å", "to"})
_SHORT_VERBS = frozenset(
    [
        "gå",
        "få",
        "ha",
        "se",
        "sjå",
        "si",
        "gi",
        "ta",
        "be",
        "bli",
        "dra",
        "la",
        "stå",
        "slå",
        "bo",
        "bu",
        "dø",
        "gjøre",
        "være",
        "vere",
        "få",
        "tre",
        "do",
        "be",
    ]
)
_SHORT_VERBS |= {f"{verb}s" for verb in _SHORT_VERBS}
_NO_VERBS_TEXT = """
    også bare berre andre alle disse desse denne dette begge hele heile samme same noe første fyrste siste slike egne
    eigne enkelte aller både
"""
_NO_VERBS = frozenset(_NO_VERBS_TEXT.split())
"""Words that end as verbs do, and stand between a modal and its verb: "kan også kreve"."""

_LIGHT = frozenset(
    stem(w)
    for w in [
        "være",
        "vere",
        "ha",
        "få",
        "bli",
        "gi",
        "gje",
        "gjøre",
        "gjere",
        "ta",
        "komme",
        "gå",
        "be",
        "have",
        "get",
        "give",
    ]
)
"""Verbs that say little: sentences are about the same thing only when they share more than these."""

_REACH = 10
"""Words after a modal among which its verb is looked for."""

_NOT_ABOUT = DENIALS | _MODALS.keys() | _NOUNS.keys() | {"uten", "utan", "without", "bare", "berre", "kun", "only"}
_NOT_ABOUT |= {"ledd", "punktum", "bokstav"}
_DENIED = frozenset({"cannot"})
_ENGLISH = frozenset({"may", "can", "could", "cannot", "shall", "must", "should", "need"})

_LIMITS_TEXT = """
    bare berre kun først fyrst unntak unnatak slipper slepp fritatt friteken fritak hverken before only except exempt
    lacks
"""
_LIMITS = re.compile(
    rf"""\b(?: {DENYING} | {"|".join(_LIMITS_TEXT.split())} | not\b | \w*n't
      | forb[uoy]\w* | prohibit\w* | forbid\w* | ulovl\w* | unlawful\w* | illegal\w* | nekt\w* | avslå\w* | avslag\w*
      | avvis\w*
      | refus\w* | mist(?:er|e|et|es|ar|a)? | taper? | tapar? | tapes | tapt | lose[sd]?
      | bortfall\w* | fall\w*\s+bort | ugyldig\w* | invalid\w*
      | opphør\w* | avskå\w* | avverg\w*
      | ute\s+av\s+stand | hindr(?:er|e|es|et|ar|a|ast)? | utelukk\w* | unnan\w* | mangl\w* | i\s+stedet | heller
      | fri\s+for | free\s+(?:of|from) | rather | instead
      | for\s+(?:sen|sei|lit|my)\w* | too\s+\w+ | lik\w*\s+før | fra\s+før
      | unnlat\w* | i\s+strid\s+med | utenlandsk\w* | uberettig\w* | urettm\w* | motsett\w* | motset\w*
      | la(?:r|te?)?\s+være | let\s+vere
      | u(?:en[ig]\w*|bestemt\w*|skyld\w*|avhengig\w*|ansett\w*)
      | straff(?:es|et|ast|a|bar\w*)? | bot | bøter | fengsel | sone\w*
      | punish\w* | fined? | offence | crim\w* )\b""",
    re.VERBOSE | re.IGNORECASE,
)


_REGARDLESS = re.compile(r"\b(?:uten|utan)\s+(?:hensyn|omsyn)\s+til\b|\bwithout\s+regard\s+to\b", re.IGNORECASE)
"""What widens and does not limit."""
_UNABLE = re.compile(r"\bute\s+av\s+stand\b", re.IGNORECASE)
"""What denies as "ikke i stand" does."""
_NO_HINDRANCE = re.compile(
    r"""\b(?:(?:skal|vil|kan|er|shall|will|does)\s+)? (?:ikke|ikkje|not)\s+ (?:(?:være|vere|be)\s+)?
        (?:til\s+hinder\s+for|hindre\w*|a\s+bar\s+to|prevent\w*|stop) (?:\s+at)?\b
    | \bhindrer\s+(?:ikke|ikkje)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What permits by denying twice."""
_NAMES_A_LACK = re.compile(r"\b(?:ikke|ikkje|non)-(?=\w)", re.IGNORECASE)
"""The beginning of a name: "ikke-leverbar postsending"."""
_PREVENTS = re.compile(
    r"\b(?:forb[uyø]\w*|nekt\w*|hindr\w*|unngå\w*|avverg\w*|forebygg\w*|prevent\w*)\s*$", re.IGNORECASE
)
"""What denies the clause with "at" that follows: "forby at barnet forlater Norge"."""


def limits(text: str) -> frozenset[str]:
    """Return the words of `text` that deny, limit or except, in lower case."""
    return frozenset(m.casefold() for m in _LIMITS.findall(text))


@dataclass(frozen=True)
class Event:
    """A force over some verb: `verbs` are the stems that it may be."""

    force: Force
    denied: bool
    verbs: frozenset[str]
    role: Role

    @property
    def is_light(self) -> bool:
        """Whether its verb says little."""
        return self.verbs <= _LIGHT


@dataclass(frozen=True)
class Stance:
    """A clause: its `text`, what it is about (stems), what it does, and whether it denies where no force says so."""

    role: Role
    about: frozenset[str]
    events: tuple[Event, ...]
    denied: bool
    text: str

    @property
    def depends_on_absence(self) -> bool:
        """Whether a condition is that something is not so: "når ikke …", "med mindre …"."""
        absent = self.events[0].denied != (self.role is Role.EXCEPTION) if self.events else self.denied
        return absent != bool(_WITHOUT.search(self.text))

    @property
    def negative(self) -> bool:
        """Whether it denies, forbids or exempts as a whole."""
        return self.events[0].denied if self.events else self.denied


@dataclass(frozen=True)
class Sentence:
    """A sentence taken apart."""

    text: str
    about: frozenset[str]
    stances: tuple[Stance, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """What it does, in all its clauses."""
        return tuple(event for stance in self.stances for event in stance.events)

    @property
    def main(self) -> tuple[Stance, ...]:
        """Its main clauses, those with a force if there are such; all clauses when there are none."""
        found = tuple(s for s in self.stances if s.role is Role.MAIN) or self.stances
        # Without a verb of force it is often a part of an enumeration.
        return tuple(s for s in found if s.events) or found

    @cached_property
    def english(self) -> bool:
        """Whether it is in English, of which only some words are understood."""
        return is_english(tuple(words(self.text)))

    @cached_property
    def limited(self) -> bool:
        """Whether any word in it denies, limits or excepts."""
        return bool(_LIMITS.search(_REGARDLESS.sub(" ", self.text)))


@lru_cache(maxsize=8_192)
def read_sentence(text: str) -> Sentence:
    """Return `text`, one sentence, taken apart."""
    text = _NO_HINDRANCE.sub(" ", _NAMES_A_LACK.sub("", text))
    parts = clauses(_UNABLE.sub("ikke i stand", text))
    # "skal den som har ansvaret, melde fra": the verb of a main clause may come after what describes its subject.
    following = [" ".join(p.text for p in parts[n + 1 :] if p.role is Role.MAIN) for n in range(len(parts))]
    before = ["", *(p.text for p in parts)]
    return Sentence(text, about(text), tuple(map(_stance, parts, following, before)))


@lru_cache(maxsize=16_384)
def about(text: str) -> frozenset[str]:
    """Return the stems, in bokmål, of what `text` is about, without modal words and denials."""
    said = in_bokmal(tuple(words(text)))
    return frozenset(stem(w) for w in content_words(" ".join(said)) if w not in _NOT_ABOUT and not w.isdigit())


def _stance(clause: Clause, following: str, before: str) -> Stance:
    # Of "om ikke …" the denial is what makes it an exception.
    tokens = _tokens(_UNLESS.sub("om", clause.text))
    events, used = [], set[int]()
    for event, taken in _events(tokens, clause.role, _tokens(following)):
        events.append(event)
        used |= taken
    left = sum(token in DENIALS for place, token in enumerate(tokens) if place not in used)
    denied = (left % 2 == 1) != (clause.role is Role.EXCEPTION)
    if clause.text.casefold().startswith(("at ", "that ")) and _PREVENTS.search(before):
        denied = not denied
    return Stance(clause.role, about(clause.text), tuple(events), denied, clause.text)


_WITHOUT = re.compile(r"\b(?:uten|utan|without)\b", re.IGNORECASE)
_UNLESS = re.compile(r"^om\s+(?:ikke|ikkje|inkje)\b", re.IGNORECASE)


def _tokens(text: str) -> list[str]:
    """Return the words of a clause, those of nynorsk as bokmål has them."""
    found = tuple(words(text))
    return list(found if is_english(found) else in_bokmal(found))


def _events(tokens: list[str], role: Role, following: list[str]) -> Iterator[tuple[Event, set[int]]]:
    for place, token in enumerate(tokens):
        noun = _NOUNS.get(token)
        if force := _MODALS.get(token):
            verbs, last = _governed(tokens, place)
            if not verbs and role is Role.MAIN:
                verbs = _governed([token, *following], 0)[0]
            denials = _denials(tokens, place, last, 2 if role is Role.MAIN else 4)
            denied = bool(denials) or token in _DENIED
            if token in _NEEDS and not denied:
                continue
            yield Event(Force.EXEMPT if token in _NEEDS else force, denied, verbs, role), denials
        elif noun and place + 1 < len(tokens) and tokens[place + 1] in _BETWEEN:
            after = next((n for n in range(place + 1, len(tokens)) if tokens[n] not in _BETWEEN | DENIALS), None)
            if after is None:
                continue
            # "har plikt til å ikke …" denies as "skal ikke …" does.
            before = {n for n in range(max(place - 8, 0), place) if tokens[n] in DENIALS}
            between = {n for n in range(place + 1, after) if tokens[n] in DENIALS}
            denials = before | between
            forbids = noun is Force.FORBID
            denied = (bool(before) != bool(between)) != forbids
            force = Force.PERMIT if forbids else noun
            yield Event(force, denied, frozenset(map(stem, tokens[after : after + 2])), role), denials


def _governed(tokens: list[str], place: int) -> tuple[frozenset[str], int]:
    """Return the stems that the verb of a modal may be, and the place of the last."""
    english = tokens[place] in _ENGLISH
    found, last = list[str](), place
    for n in range(place + 1, min(place + 1 + _REACH, len(tokens))):
        token = tokens[n]
        # "kan binde seg til å ikke bruke": what comes after "å" is another verb's, and so is its denial.
        if found and token in _INFINITIVE:
            break
        if token in DENIALS or token in _MODALS or token in _NO_VERBS:
            continue
        if english or token in _SHORT_VERBS or (len(token) > 3 and token.endswith(("e", "es", "ast", "a", "å", "ås"))):
            found.append(stem(token))
            last = n
            if english or token in _SHORT_VERBS or len(found) == 2:
                break
    return frozenset(found), last if found else min(place + 4, len(tokens) - 1)


def _denials(tokens: list[str], place: int, last: int, back: int) -> set[int]:
    """Return the places of the denials of a modal: before its verb, up to `back` words before it, or its subject."""
    near = {n for n in range(max(place - back, 0), min(last + 1, len(tokens))) if tokens[n] in DENIALS}
    subject = {n for n in range(place) if tokens[n] in DENIALS - {"ikke", "ikkje", "not"}}
    return near | subject
