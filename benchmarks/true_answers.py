"""True answers made by script from provisions of real acts, in the forms in which models write them.

A sentence of the law is said as it is, to "du", in other words for the same duty or right, with figures for number
words, in nynorsk, after the section that it is from, after a Yes or No, or with a second sentence. Explanations of
provisions that people wrote in plain words are answers too: each of their sentences cites the sentence that it is
nearest to. What an answer says follows from what it cites.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lovsvar_contracts.law import Provision
from lovsvar_legaltext.agreement import sentences
from lovsvar_legaltext.closeness import overlap
from lovsvar_legaltext.language import Language, language_of
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.stances import read_sentence

FIGURES = dict(
    zip(
        ["to", "tre", "fire", "fem", "seks", "sju", "åtte", "ni", "ti", "elleve", "tolv", "fjorten", "femten", "tjue"],
        ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "14", "15", "20"],
        strict=True,
    )
)
_NYNORSK = (
    ("ikke", "ikkje"), ("jeg", "eg"), ("fra", "frå"), ("kreve", "krevje"), ("måneder", "månader"), ("uker", "veker"),
    ("dager", "dagar"), ("hvis", "viss"), ("dersom", "dersom"), ("en", "ein"), ("et", "eit"), ("leieren", "leigaren"),
    ("arbeidsgiver", "arbeidsgivar"), ("arbeidstaker", "arbeidstakar"), ("være", "vere"), ("noe", "noko"),
    ("noen", "nokon"), ("blir", "vert"), ("gjelder", "gjeld"), ("plikter", "pliktar"), ("høyst", "høgst"),
    ("gi", "gje"), ("gjøre", "gjere"), ("hun", "ho"), ("rettigheter", "rettar"), ("mer", "meir"), ("bare", "berre"),
)  # fmt: skip
_FINITE = r"(?:kan|skal|må|plikter)"
_SIMPLE = re.compile(
    rf"^(?P<who>[A-ZÆØÅ][\wæøå-]+(?:\s+[\wæøå-]+){{0,3}}?)\s+(?P<modal>{_FINITE})\s+(?P<rest>(?!også)[^,:;]{{12,180}}\.)$"
)
CONDITION = re.compile(r",?\s+(?:med mindre|bare dersom|bare når|bare hvis|dersom|hvis|såfremt|unntatt)\b")
_WELL_FORMED = re.compile(r"^[A-ZÆØÅ][^|\n]{40,260}\.$")
_POINTS_AWAY = re.compile(
    r"\b(?:første|annet|andre|tredje|fjerde|forrige)\s+(?:ledd|punktum)|§|bokstav|nevnt|jf|nr\.|lov\s+(?:\d|om|av)|\w{3,}lov(?:en|a)|artikkel|forordning|kapittel|denne|dette|det|disse|slik\w*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TrueAnswer:
    """An answer: what is asked, the prose with `[id]` markers, and the quotes, each with its id."""

    form: str
    question: str
    language: Language
    prose: str
    quotes: tuple[tuple[str, str], ...]
    provision: Provision


ID = "lovdata-1"


def of_sentence(sentence: str, provision: Provision, rng: random.Random) -> Iterator[TrueAnswer]:
    """Yield answers that say what one sentence says, in the forms that it can take."""
    name = provision.act.split(" – ")[0]
    topic = (provision.title or name).rstrip(".").casefold()
    plain = TrueAnswer(
        "verbatim", f"Hva gjelder om {topic}?", "nb", f"{sentence[:-1]} [{ID}].", ((ID, sentence),), provision
    )
    if CONDITION.search(sentence, 30):
        yield replace(plain, form="conditional")
    yield plain
    if re.fullmatch(r"[A-ZÆØÅa-zæøå-]+(?:loven|lova)", name):
        yield replace(
            plain,
            form="section",
            prose=f"Etter {_lower(name)} {provision.value} gjelder dette: {sentence[:-1]} [{ID}].",
        )
    if figures := _in_figures(sentence):
        yield replace(plain, form="figures", prose=f"{figures[:-1]} [{ID}].")
    yield replace(
        plain,
        form="nynorsk",
        language="nn",
        question=f"Kva gjeld om {topic}?",
        prose=f"{_in_nynorsk(sentence)[:-1]}. [{ID}]",
    )
    if match := _SIMPLE.match(sentence):
        yield from _of_simple(match, plain, rng)


def of_explanation(words: Mapping[Language, str], provision: Provision) -> Iterator[TrueAnswer]:
    """Yield an explanation as an answer in each of its languages; a sentence cites the one that has most of its words.

    That is found by the words of its first language, which is bokmål where it has that: translations have as many
    sentences in the same order.
    """
    law = [s for s in sentences(provision.text) if 25 < len(s) < 600]
    quotes = []
    for said in _sentences(next(iter(words.values()))):
        about = read_sentence(said).about
        nearest = max(law, key=lambda s: (overlap(about, read_sentence(s).about), -len(s)), default=None)
        # An item of a list is not one piece with the words before the list.
        if nearest is None or nearest not in provision.text:
            return
        if overlap(about, read_sentence(nearest).about) < len(about) / 2:
            return
        quotes.append((ID, nearest))
    topic = (provision.title or provision.act).rstrip(".").casefold()
    asked = {
        "nb": f"Hva gjelder om {topic}?",
        "nn": f"Kva gjeld om {topic}?",
        "en": f"What are the rules on «{topic}»?",
    }
    for language, text in words.items():
        if len(_sentences(text)) == len(quotes):
            prose = " ".join(f"{said.rstrip('.')} [{ID}]." for said in _sentences(text))
            yield TrueAnswer("explanation", asked[language], language, prose, tuple(dict.fromkeys(quotes)), provision)


def _sentences(text: str) -> list[str]:
    return [text[a:b] for a, b in sentence_spans(text, 0, len(text))]


def may_be_said(sentence: str) -> bool:
    """Whether a sentence can be understood alone."""
    return bool(_WELL_FORMED.match(sentence)) and not _POINTS_AWAY.search(sentence) and language_of(sentence) != "en"


def _of_simple(match: re.Match[str], plain: TrueAnswer, rng: random.Random) -> Iterator[TrueAnswer]:
    """Yield a Yes or No to the question that a simple sentence answers, and the sentence in other words of force."""
    who, modal, rest = match["who"], match["modal"], match["rest"][:-1]
    denied = re.match(r"ikke\s+", rest)
    bare = rest[denied.end() :] if denied else rest
    asks = {"kan": "Kan", "skal": "Skal", "må": "Må", "plikter": "Plikter"}[modal]
    question = f"{asks} {_lower(who)} {bare}?"
    if not re.search(r"\b(?:ikke|bare|kun|uten|ingen|minst|høyst|inntil)\b", bare):
        said = f"{who} {modal} {'ikke ' if denied else ''}{bare}"
        verdict = "Nei" if denied else "Ja"
        short = f"det {modal} {_pronoun(who)}{' ikke' if denied else ''}"
        yield replace(plain, form="verdict", question=question, prose=f"{verdict}. {said} [{ID}].")
        yield replace(plain, form="verdict in one", question=question, prose=f"{verdict}, {_lower(said)} [{ID}].")
        yield replace(plain, form="verdict, then law", question=question, prose=f"{verdict}, {short}. {said} [{ID}].")
    others = {
        ("kan", False): (f"{who} har adgang til å {bare}", f"Det er {_lower(who)} som kan {bare}"),
        ("kan", True): (f"{who} har ikke adgang til å {bare}", f"{who} har ikke lov til å {bare}"),
        ("skal", False): (f"{who} må {bare}", f"{who} har plikt til å {bare}"),
        ("skal", True): (f"{who} må ikke {bare}", f"{who} kan ikke {bare}"),
        ("må", False): (f"{who} skal {bare}", f"{who} plikter å {bare}"),
        ("må", True): (f"{who} skal ikke {bare}", f"{who} kan ikke {bare}"),
        ("plikter", False): (f"{who} må {bare.removeprefix('å ')}", f"{who} skal {bare.removeprefix('å ')}"),
    }.get((modal, bool(denied)), ())
    if others and not re.match(r"(?:bare|kun)\b", bare):
        yield replace(plain, form="other words", prose=f"{rng.choice(others)} [{ID}].")


def _in_figures(sentence: str) -> str:
    changed = re.sub(
        rf"\b(?:{'|'.join(FIGURES)})\b(?=\s+(?:dag|uke|måned|år|time|kron|prosent))",
        lambda m: FIGURES[m.group()],
        sentence,
    )
    return changed if changed != sentence else ""


def _in_nynorsk(sentence: str) -> str:
    for bokmal, nynorsk in _NYNORSK:
        sentence = re.sub(rf"\b{bokmal}\b", nynorsk, sentence)
    return sentence


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _pronoun(who: str) -> str:
    return "de" if who.endswith(("ene", "ere", "er")) else "den"


def drawn(
    made: Callable[[Provision], Iterator[TrueAnswer]], provisions: Sequence[Provision], count: int, rng: random.Random
) -> list[TrueAnswer]:
    """Return `count` answers, forms in turn, each provision once."""
    by_form: dict[str, list[TrueAnswer]] = {}
    for provision in rng.sample(list(provisions), len(provisions)):
        answers = list(made(provision))
        if answers:
            least = min(answers, key=lambda a: (len(by_form.get(a.form, ())), rng.random()))
            by_form.setdefault(least.form, []).append(least)
    found: list[TrueAnswer] = []
    while len(found) < count and any(by_form.values()):
        for form in sorted(by_form):
            if by_form[form] and len(found) < count:
                found.append(by_form[form].pop())
    return found
