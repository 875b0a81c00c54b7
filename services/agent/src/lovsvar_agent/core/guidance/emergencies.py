"""Whether a question describes danger to life or health, and whom to call."""

import re
from collections.abc import Mapping
from functools import lru_cache

from lovsvar_agent.core.guidance.danger_signs import stated_dangers
from lovsvar_agent.core.guidance.danger_words import (
    CHILDREN,
    CONDITION,
    FEARS,
    GENERIC,
    HARMLESS,
    MINOR,
    OFFICIAL,
    PARENT,
    PARTNER,
    PAST,
    URGENT,
    compiled,
)
from lovsvar_agent.core.guidance.dangers import Danger, patterns
from lovsvar_contracts.blocks import Contact, Emergency
from lovsvar_legaltext.language import Language

MAX_CONTACTS = 4
MAX_CHARACTERS = 2_000
"""How much of a question is looked at."""

ADULT = 18

POLICE, AMBULANCE, FIRE_BRIGADE = "112", "113", "110"
VIOLENCE_LINE, CHILDREN_LINE, MENTAL_HEALTH, POISON_INFORMATION = "116 006", "116 111", "116 123", "22 59 13 00"

_NUMBERS: Mapping[Danger, tuple[str, ...]] = {
    Danger.FIRE: (FIRE_BRIGADE,),
    Danger.ILLNESS: (AMBULANCE,),
    Danger.POISON: (AMBULANCE, POISON_INFORMATION),
    Danger.ATTACK: (POLICE,),
    Danger.INJURED: (AMBULANCE, POLICE),
    Danger.RAPE: (POLICE, VIOLENCE_LINE),
    Danger.PARTNER: (VIOLENCE_LINE,),
    Danger.CAPTIVITY: (POLICE, VIOLENCE_LINE),
    Danger.CHILD: (POLICE, CHILDREN_LINE),
    Danger.SUICIDE: (AMBULANCE, MENTAL_HEALTH),
    Danger.SELF_HARM: (AMBULANCE, MENTAL_HEALTH),
    Danger.LEAVING: (POLICE, AMBULANCE, MENTAL_HEALTH),
}

_TITLE: Mapping[Language, str] = {
    "nb": "Er noen i fare nå? Ring med én gang",
    "nn": "Er nokon i fare no? Ring med ein gong",
    "en": "Is someone in danger now? Call at once",
}

_CONTACTS: Mapping[str, tuple[str, Mapping[Language, tuple[str, str]]]] = {
    POLICE: (
        "https://www.politiet.no",
        {
            "nb": ("Politiet", "når noen er i fare akkurat nå"),
            "nn": ("Politiet", "når nokon er i fare akkurat no"),
            "en": ("The police", "when someone is in danger right now"),
        },
    ),
    AMBULANCE: (
        "https://www.helsenorge.no",
        {
            "nb": ("Ambulanse", "når det er fare for liv eller helse"),
            "nn": ("Ambulanse", "når det er fare for liv eller helse"),
            "en": ("Ambulance", "when life or health is in danger"),
        },
    ),
    FIRE_BRIGADE: (
        "https://www.dsb.no",
        {
            "nb": ("Brannvesenet", "ved brann, røyk eller gass. Gå ut først"),
            "nn": ("Brannvesenet", "ved brann, røyk eller gass. Gå ut først"),
            "en": ("Fire brigade", "for fire, smoke or gas. Get out first"),
        },
    ),
    VIOLENCE_LINE: (
        "https://volinjen.no",
        {
            "nb": ("VO-linjen", "for deg som er utsatt for vold eller overgrep av noen nær deg. Gratis, hele døgnet"),
            "nn": ("VO-linja", "for deg som er utsett for vald eller overgrep frå nokon nær deg. Gratis, heile døgnet"),
            "en": ("VO helpline", "for victims of violence or abuse by someone close. Free, day and night"),
        },
    ),
    CHILDREN_LINE: (
        "https://www.116111.no",
        {
            "nb": ("Alarmtelefonen for barn og unge", "når et barn ikke har det trygt. Gratis, hele døgnet"),
            "nn": ("Alarmtelefonen for barn og unge", "når eit barn ikkje har det trygt. Gratis, heile døgnet"),
            "en": ("Alarm phone for children and young people", "when a child is not safe. Free, day and night"),
        },
    ),
    MENTAL_HEALTH: (
        "https://mentalhelse.no",
        {
            "nb": ("Mental Helses hjelpetelefon", "når livet er tungt og du trenger noen å snakke med. Hele døgnet"),
            "nn": (
                "Hjelpetelefonen til Mental Helse",
                "når livet er tungt og du treng nokon å snakke med. Heile døgnet",
            ),
            "en": ("Mental health helpline", "when life is hard and you need someone to talk to. Day and night"),
        },
    ),
    POISON_INFORMATION: (
        "https://www.helsenorge.no",
        {
            "nb": ("Giftinformasjonen", "råd ved forgiftning. Hele døgnet"),
            "nn": ("Giftinformasjonen", "råd ved forgifting. Heile døgnet"),
            "en": ("Poison information", "advice on poisoning. Day and night"),
        },
    ),
}

_APOSTROPHES = str.maketrans("’‘´`", "''''")
_SENTENCE = re.compile(r"[.?!\n]+")
_OF_OTHERS = frozenset({Danger.ATTACK, Danger.RAPE, Danger.CAPTIVITY, Danger.CHILD})
"""Dangers that people ask about in the form of 'if my husband hits me': only 'if somebody' is no sign of one."""

NUMBERS = tuple(_CONTACTS)
"""The numbers that are named to people in danger."""


def emergency(question: str, language: Language) -> Emergency | None:
    """Return whom to call, at most four, the most urgent first; None when nobody is described as in danger."""
    found = dangers(question)
    numbers = dict.fromkeys(number for danger in Danger if danger in found for number in _NUMBERS[danger])
    if not numbers:
        return None
    contacts = []
    for number in list(numbers)[:MAX_CONTACTS]:
        url, words = _CONTACTS[number]
        name, does = words[language]
        contacts.append(Contact(name=name, does=does, phone=number, url=url))
    return Emergency(title=_TITLE[language], contacts=tuple(contacts))


@lru_cache(maxsize=64)
def dangers(question: str) -> frozenset[Danger]:
    """Return the dangers to a person that a question describes; none that is past, only supposed, or a topic."""
    text = question[:MAX_CHARACTERS].casefold().translate(_APOSTROPHES)
    if _has(PAST, text) and not _has(URGENT, text):
        return frozenset()
    found: set[Danger] = {danger for danger in Danger if danger != Danger.INJURED and _is_real(danger, text)}
    if not _has(HARMLESS, text):
        found.update(stated_dangers(text))
    if any(_has(fear, text) for fear in FEARS):
        found |= {Danger.ATTACK, Danger.PARTNER}
    if Danger.CAPTIVITY in found and _has(OFFICIAL, text):
        found.discard(Danger.CAPTIVITY)
    if found & {Danger.ATTACK, Danger.ILLNESS} and _is_real(Danger.INJURED, text):
        found.add(Danger.INJURED)
    young = _is_minor(text)
    if found & {Danger.ATTACK, Danger.RAPE}:
        found |= {Danger.PARTNER} if not young and _has(PARTNER, text) else set()
        found |= {Danger.CHILD} if young or _has(PARENT, text) or _has(CHILDREN, text) else set()
    elif young and found & {Danger.SUICIDE, Danger.SELF_HARM}:
        found.add(Danger.CHILD)
    return frozenset(found)


def _is_real(danger: Danger, text: str) -> bool:
    """Whether a danger is described, and not only supposed, nor of an animal."""
    return any(
        not _is_supposed(danger, text, match) and not _has(HARMLESS, text[max(match.start() - 20, 0) : match.end()])
        for pattern in patterns(danger)
        for match in pattern.finditer(text)
    )


def _is_supposed(danger: Danger, text: str, match: re.Match[str]) -> bool:
    """Whether the sentence makes a danger a condition before it is described."""
    clause = _SENTENCE.split(text[: match.start()])[-1] + match.group()
    condition = compiled(GENERIC if danger in _OF_OTHERS else CONDITION).search(clause)
    return condition is not None and condition.start() < len(clause) - len(match.group())


def _is_minor(text: str) -> bool:
    found = compiled(MINOR).search(text)
    age = found["age"] if found else None
    return found is not None and not (age and age.isdigit() and int(age) >= ADULT)


def _has(sign: str, text: str) -> bool:
    return compiled(sign).search(text) is not None
