"""Sentences that ask their reader for secrets, payment or contact, which an answer about law never does.

Such a sentence comes from a text that was found, by way of a model that obeys it, or from a model alone. It is known by
its form: whoever wrote it, it is left out of answers, titles and excerpts. A telephone number, an account number or an
address may be given where the law itself, or Lovsvar's guidance, has it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lovsvar_agent.core.guidance.emergencies import NUMBERS
from lovsvar_agent.core.reasoning.request_patterns import DENIALS, REQUESTS, SUSPICIOUS
from lovsvar_agent.core.reasoning.untrusted_text import defused
from lovsvar_legaltext.sentences import sentence_spans

_LOOK_ALIKES = str.maketrans("абвгдеёзийкмнорстухіјѕԁαβεικνορτυχ", "abvgdeezijkmhopctyxijsdabeiknoptux")
"""Cyrillic and Greek letters, as the Latin ones that they are taken for."""

_LEET = str.maketrans("013457@$", "oieast" + "as")
_MIXED = re.compile(r"\b(?=\w*[a-zæøå]{2})\w*[013457@$]\w*\b")
_SPACED = re.compile(r"(?<![\w])(?:\w[ ._*-]){3,}\w(?!\w)")
_DIGITS = "null|en|ein|ett|eitt|to|tre|fire|fem|seks|sju|syv|åtte|ni|zero|one|two|three|four|five|six|seven|eight|nine"
_NUMBERS = re.compile(
    rf"""
      (?<![\w.,§-]) (?: \+ | 00 ) \d{{1,3}} (?: [\s.-]? \d ){{6,12}} (?!\d)
    | (?<![\w.,§/-]) \d{{2}} (?: [\s.] \d{{2}} ){{3}} (?![\d%,.]*\d)
            | (?<![\w.,§/-]) \d{{3}} \s \d{{2}} \s \d{{3}} (?!\d)
    | (?<![\w.,§/-]) [2-9] \d{{7}} (?! \d | \s? kr ) | (?<![\w.,§/-]) \d{{11}} (?!\d)
    | (?<!\d) \d{{4}} [\s.] \d{{2}} [\s.] \d{{5}} (?!\d) | (?<!\d) (?: \d{{4}} [\s-]? ){{3}} \d{{4}} (?!\d)
    | \b (?: no | gb | de | se | dk | lt | ee
            | es ) \d{{2}} (?: \s? [a-z0-9]{{4}} ){{2,7}} (?: \s? [a-z0-9]{{1,3}} )? \b
    | \b (?: bc1 | 0x ) [a-z0-9]{{20,}} | \b [13] [a-z0-9]{{26,34}} \b
    | \b (?: ring\w* | tlf | telefon\w* | mobil\w* | call | phone | sms | vipps\w* | hotline | tekst | text ) \b
      [^.\d]{{0,30}}? (?: \d [\s.-]? ){{3,12}}
    | \b (?: (?:{_DIGITS}) [\s,-]+ ){{5,}} (?:{_DIGITS}) \b
    """,
    re.VERBOSE,
)
_ADDRESSES = re.compile(
    r"""
      (?<![\w.+-]) [\w.+-]{1,64} \s? (?: @ | \(at\) | \[at\] | \s at \s (?= [\w-]+ \s? (?: \( | \[ )? dot )
            | krøllalfa ) \s? [\w(-]
    | \w \s? (?: \[\.\] | \(\.\) | \[dot\] | \(dot\) | \s dot \s | \s punktum \s ) \s? (?: com | no | net | org
            | io | example | ru )\b
    | \b hxxps? | \b (?: bit\.ly | tinyurl ) \b | \b kl[iy]kk \s (?: her | på )
    """,
    re.VERBOSE,
)
_CLAUSE = re.compile(r".+?(?:[,;:]\s+|\s+(?:men|but)\s+|$)")
_DOCTOR_ON_CALL = "116117"
_HELP = frozenset((_DOCTOR_ON_CALL, *(number.replace(" ", "") for number in NUMBERS)))
_SHORT = 3
"""Digits that a number has at least."""


@dataclass(frozen=True)
class Kept:
    """A text without its solicitations; `removed` are these, with their numbers and addresses made unreadable."""

    text: str
    removed: tuple[str, ...] = ()


def without_solicitations(text: str, *, known: Iterable[str] = (), link: str = "") -> Kept:
    """Return `text` without the sentences that solicit; numbers that a `known` text has may be given.

    `link` is what stands where a foreign address was: a sentence with it is removed too.
    """
    texts = "\n".join(known)
    digits = frozenset(re.sub(r"\D", "", found) for found in re.findall(r"\d(?:[ .-]?\d)*", texts)) | _HELP
    removed: list[str] = []
    lines = []
    for line in text.split("\n"):
        kept = []
        for sentence, gap in _sentences(line):
            if (link and link in sentence) or _solicits(plain_form(sentence), digits, texts):
                removed.append(_unreadable(sentence.strip(), link))
            else:
                kept.append(sentence + gap)
        left = "".join(kept).rstrip()
        if left.strip(" -#*•") or not line.strip():
            lines.append(left)
    return Kept("\n".join(lines) if removed else text, tuple(removed))


def solicits(text: str) -> bool:
    """Whether any sentence of `text` solicits."""
    return bool(without_solicitations(text).removed)


def before_solicitation(text: str, *, ended: bool = True, link: str = "") -> str:
    """Return the beginning of `text` up to its first sentence that solicits; `link` is as in `without_solicitations`.

    Where the text has not `ended`, its last sentence counts when it may become one.
    """
    at = 0
    for line in text.split("\n"):
        for sentence, gap in _sentences(line):
            end = at + len(sentence)
            unfinished = not ended and end == len(text.rstrip())
            form = plain_form(sentence)
            linked = bool(link) and link in sentence
            if linked or _solicits(form, _HELP, "") or (unfinished and SUSPICIOUS.search(form)):
                return text[:at]
            at = end + len(gap)
        at += 1
    return text


def title_without_solicitation(title: str) -> str:
    """Return a title up to the word where it begins to solicit; a title has no sentences to tell."""
    for word in reversed(list(re.finditer(r"\S+", title))):
        if solicits(title[word.start() :]):
            title = title[: word.start()].rstrip(" .,:;–—-")
    return title


def plain_form(sentence: str) -> str:
    """Return a sentence as it is read: small Latin letters, without what no reader sees, words not spaced out."""
    text = unicodedata.normalize("NFKC", defused(sentence)).casefold().translate(_LOOK_ALIKES)
    text = "".join(c for c in text if not unicodedata.combining(c) or c == "\u030a")
    text = _SPACED.sub(lambda m: re.sub(r"[ ._*-]", "", m[0]), text)
    return " ".join(re.sub(r"\[[a-z]+-\d+\]|[*_`#>]", " ", text).split())


def _sentences(line: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a line with the white space that follows each; together they are the line."""
    spans = list(sentence_spans(line, 0, len(line)))
    begin = 0
    for number, (_, end) in enumerate(spans):
        following = spans[number + 1][0] if number + 1 < len(spans) else len(line)
        yield line[begin:end], line[end:following]
        begin = following


def _solicits(sentence: str, known: Iterable[str], texts: str) -> bool:
    asked = _MIXED.sub(lambda m: m[0].translate(_LEET), sentence)
    # A warning in one clause ("ikke gi opp, …") excuses no request in another.
    left = "".join(clause for clause in _CLAUSE.findall(asked) if not DENIALS.search(clause))
    if any(pattern.search(left) for pattern in REQUESTS):
        return True
    if match := _ADDRESSES.search(sentence):
        return match.group().strip() not in texts.casefold()
    return any(_is_foreign(match.group(), known) for match in _NUMBERS.finditer(sentence))


def _is_foreign(number: str, known: Iterable[str]) -> bool:
    digits = re.sub(r"\D", "", number)
    if not digits:
        return True
    return len(digits) >= _SHORT and not any(digits in (one, f"47{one}", f"0047{one}") for one in known)


def _unreadable(sentence: str, link: str) -> str:
    """Return a removed sentence as it may be listed: nobody can call, pay or write to what it names."""
    masked = re.sub(r"\+?\d(?:[\s.-]?\d){4,}|\S+@\S+", "•", sentence)
    return masked.replace(link, "•") if link else masked
