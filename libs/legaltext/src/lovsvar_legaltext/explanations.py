"""Explanations of provisions in plain words: tied to the text that they explain, and checked against it.

An explanation says nothing that its ledd do not say. What a program can decide of that is decided here (`faults`); the
rest is read by people.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lovsvar_contracts.law import Block, BlockKind
from lovsvar_legaltext.language import Language
from lovsvar_legaltext.modality import contradicts
from lovsvar_legaltext.places import lines
from lovsvar_legaltext.quantities import unsupported
from lovsvar_legaltext.readability import lix

LANGUAGES: tuple[Language, ...] = ("nb", "nn", "en")
MAX_CHARACTERS = 420
MAX_SENTENCES = 3
HARDEST = 45.0
"""The LIX that no explanation reaches."""

_TEXT = frozenset({BlockKind.LEDD, BlockKind.LIST_ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE})
_END = re.compile(r"(?<!\bnr)(?<!\bkap)(?<!\d)[.!?](?=\s|$)|(?<=\d)\.(?=\s+[A-ZÆØÅ]|$)")
_ACT = re.compile(r"\b[\wæøå-]{3,}(?:loven|lova|forskriften|forskrifta)\b", re.IGNORECASE)
_BOKMAL = re.compile(r"\b(?:ikke|jeg|hva|hvem|hvor|noe|noen|mye|fra|kun|bare|være|gjøre|hvis|selv|uten|hver|dere)\b")
_MARKUP = re.compile(r"[<>{}\[\]]|https?:")


class BadExplanations(ValueError):
    """The file of explanations cannot be read. The message names the line."""


@dataclass(frozen=True)
class Explanation:
    """What some ledd of a provision say, in one to three sentences in each language.

    `text_hash` is that of the ledd when it was written (`text_hash`): when the law changes, it no longer holds.
    """

    refid: str
    section: str
    ledd: tuple[int, ...]
    text_hash: str
    words: Mapping[Language, str]


def parse_explanations(text: str) -> Iterator[Explanation]:
    """Yield the explanations of a file in JSON Lines. Raises `BadExplanations`."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found = json.loads(line)
            words: dict[Language, str] = {name: found[name] for name in LANGUAGES if name == "nb" or name in found}
            yield Explanation(found["refid"], found["section"], tuple(found["ledd"]), found["hash"], words)
        except (KeyError, TypeError, ValueError) as exc:
            raise BadExplanations(f"line {number}: {exc!r}") from exc


def ledd_texts(blocks: Iterable[Block]) -> Mapping[int, str]:
    """Return the text of each ledd by its number; what follows a ledd without a number belongs to it."""
    texts: dict[int, list[str]] = {}
    last = 1
    for block in blocks:
        if block.kind in _TEXT:
            last = block.ledd or last
            texts.setdefault(last, []).extend(lines([block.model_copy(update={"label": _inner_label(block)})]))
    return {number: "\n".join(found) for number, found in texts.items()}


def text_hash(texts: Iterable[str]) -> str:
    """Return the identity of the words of some ledd, whatever their white space: 16 hexadecimal digits."""
    words = " ".join(" ".join(texts).split())
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def faults(words: str, language: Language, text: str, acts: Iterable[str] = ()) -> list[str]:
    """Return what is wrong with an explanation of `text`; `acts` are the names of acts that exist, in lower case."""
    found = []
    sentences = [part for part in _END.split(words) if part.strip()]
    if not 1 <= len(sentences) <= MAX_SENTENCES:
        found.append(f"{len(sentences)} sentences")
    if len(words) > MAX_CHARACTERS:
        found.append(f"{len(words)} characters")
    if (hard := lix(words)) >= HARDEST:
        found.append(f"LIX {hard:.0f}")
    found += [f"not in the text: {words[q.start : q.end]}" for q in unsupported(words, [text], language)]
    found += [f"says “{force}”: {sentence.strip()}" for sentence in sentences if (force := contradicts(sentence, text))]
    known = frozenset(acts)
    found += [f"no act has the name {name}" for name in _ACT.findall(words) if known and name.casefold() not in known]
    if language == "nn" and (bokmal := _BOKMAL.search(words)):
        found.append(f"bokmål: {bokmal.group()}")
    if _MARKUP.search(words):
        found.append("markup")
    return found


def _inner_label(block: Block) -> str | None:
    """A ledd's own label, "(2)", is no part of its words; a list item's is."""
    return None if block.kind is BlockKind.LEDD else block.label
