"""The clauses of a sentence: what it says, and on which condition; in bokmål, nynorsk and English.

Parting is by words and commas alone, which legal text sets with care: a clause that begins with "dersom", "når", "som"
or "at" goes on to the next comma. It is for comparing sentences, not for grammar.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a clause is in its sentence."""

    MAIN = "main"
    CONDITION = "condition"
    """What the main clause depends on: "dersom …", "når …", "if …"."""
    EXCEPTION = "exception"
    """What the main clause does not hold for: "med mindre …", "unntatt …", "unless …"."""
    ATTRIBUTE = "attribute"
    """What describes something, or is said or asked: "som …", "at …", "which …"."""


@dataclass(frozen=True)
class Clause:
    """Some words of a sentence, and what they are in it."""

    role: Role
    text: str


_FLAGS = re.IGNORECASE | re.VERBOSE
_EXCEPTION = r"""(?: med\s+mindre | unntatt | bortsett\s+fra | med\s+unntak\s+(?:av|for) | med\s+unnatak\s+(?:av|for)
    | unnateke | unless | except(?:\s+(?:for|where|when|if))?
    | om\s+(?:ikke|ikkje|inkje) )"""
_CONDITION = r"""(?: (?: (?:bare|berre|kun|only) \s+ )? (?: dersom | hvis | viss | såfremt | såframt | så\s+fremt
    | så\s+lenge | i\s+den\s+utstrekning | forutsatt\s+at | føresett\s+at | på\s+vilkår\s+(?:av\s+)?at | når | hvor
    | der
    | (?<=,\ )om(?!\s+å\b) | om(?=\s+(?:noe|noko)?\s*ann(?:et|a)\b)
    | om(?=\s+(?:du|dere|dykk|han|hun|ho|vi|noen|nokon)\b)
    | (?<=gjelder\ )om | (?<=gjeld\ )om | (?<=ikke\ )om(?!\s+å\b) | (?<=ikkje\ )om(?!\s+å\b)
    | if | when | where | provided\s+that | as\s+long\s+as | so\s+long\s+as )
    | (?:bare|berre|kun|only) \s+ (?:om|etter|med|ved|with|after) )"""
_ATTRIBUTE = r"""(?: som | at | fordi | ettersom | slik\s+at | for\s+at | mens | medan | selv\s+om | sjølv\s+om
    | whether | which | who | whose | that | because | while | although | so\s+that )"""
_OPENS = re.compile(
    rf"""\b(?: (?P<exception>{_EXCEPTION}) | (?P<condition>{_CONDITION}) | (?P<attribute>{_ATTRIBUTE}) )\b""", _FLAGS
)
_PARTS = re.compile(r"[;:]|\s[–-]\s|,?\s+\b(?:men|but)\b\s+|(?P<comma>,)\s+", re.IGNORECASE)
_VERB_FIRST = re.compile(
    r"""^\W*(?: har | er | blir | blei | vert | ble | viser | gjelder | gjeld | foreligger | ligg | skjer | dør | kjøper
      | får | vil | ønsker | mener | meiner | oppstår | kommer | kjem | finner | finn | går | gir | gjev | trenger
      | treng
      | skal | kan | må
      | sier | seier | bor | bur | betaler | betalar | tar | tek | bruker | brukar | driver | driv | flytter | flyttar
      | [a-zæøå]{3,}(?:er|ar) )
      \s+ [^,]{3,}, \s+ (?: kan | skal | må | har | er | får | blir | plikter | bør | gjelder | gjeld | vert | vil
        | regnes | reknes | reknast | anses | [a-zæøå]{2,}(?:er|es|ar|ast) )\b""",
    _FLAGS,
)
"""A condition without a word for it: "Har leieren ikke betalt, kan …"."""

_CLEFT = re.compile(r"^\W*(?:det\s+er|it\s+is)\s+([^,]{2,60}?)\s+(?:som|who|that)(?=\s)", re.IGNORECASE)
"""What is said of one thing alone: "Det er utleieren som må …"."""
_AS_NAMED = re.compile(
    r"\snår\s+som\s+helst\b|\s(?:som|as)\s+(?:nevnt|nemnt|nemnd|omtalt|angitt|bestemt|mentioned)\s+i\s+(?:§+\s*[\d-]+\s?[a-z]?\s|\w+\s+ledd\b|bokstav\s+\w\b)",
    re.IGNORECASE,
)
"""What opens no clause: "reaksjoner som nevnt i første ledd", "kan når som helst kreve"."""


def clauses(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of `sentence`, in order. There is one at least, if there are words."""
    return tuple(_clauses(sentence))


def _clauses(sentence: str) -> Iterator[Clause]:
    sentence = _CLEFT.sub(r"\1", _AS_NAMED.sub(" ", sentence))
    role = Role.CONDITION if _VERB_FIRST.match(sentence) else Role.MAIN
    for part in _parts(sentence):
        at = 0
        for match in _OPENS.finditer(part):
            if words := part[at : match.start()].strip(" ,"):
                yield Clause(role, words)
            role = next(r for r in (Role.EXCEPTION, Role.CONDITION, Role.ATTRIBUTE) if match[r.value])
            at = match.start()
        if words := part[at:].strip(" ,"):
            yield Clause(role, words)
        role = Role.MAIN


def _parts(sentence: str) -> Iterator[str]:
    """Yield what stands between commas, semicolons, dashes and "men"."""
    at = 0
    for match in _PARTS.finditer(sentence):
        yield sentence[at : match.start()]
        at = match.end()
    yield sentence[at:]
