"""What people write into a search box besides words: "phrases", -excluded words, OR, AND. Nothing is an error."""

import re
from dataclasses import dataclass

MAX_DEMANDS = 16
"""Phrases and excluded words of one query that are heeded; each costs a search of its own."""

_QUOTES = str.maketrans(dict.fromkeys("“”„«»‟", '"'))
_TOKEN = re.compile(r'(?P<minus>(?<!\S)[-−–])?(?:"(?P<phrase>[^"]*)(?P<closed>")?|(?P<word>[^\s"]+))')
_WORDY = re.compile(r"[\w§]")


@dataclass(frozen=True, slots=True)
class Written:
    """A query taken apart. `text` is what is searched for, in the writer's order, without signs.

    A hit must hold `phrases` as written and `required` words, those on both sides of an AND, in some form; it must hold
    nothing of `excluded` (words or phrases). Of each group of `alternatives` any word will do: a side of an OR is no
    demand.
    """

    text: str
    phrases: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()


def read_query(query: str) -> Written:
    """Take `query` apart, whatever it holds: signs that make no sense are passed over."""
    kept: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    groups: list[list[str]] = []
    required: list[str] = []
    alternative = both = False
    for match in _TOKEN.finditer(query.translate(_QUOTES)):
        text = match["word"] if match["word"] is not None else match["phrase"]
        if not _WORDY.search(text):
            continue
        if match["minus"] and (match["word"] is None or text[0].isalpha()):
            excluded.append(text)
        elif text in {"OR", "AND"} and match["word"]:
            alternative, both = text == "OR" and bool(kept), text == "AND" and bool(kept)
            continue
        else:
            if alternative and phrases and phrases[-1] == kept[-1]:
                phrases.pop()
            elif alternative and match["word"]:
                _join(groups, kept[-1], text)
            elif match["closed"] and not alternative:
                phrases.append(text)
            if alternative and required and required[-1] == kept[-1]:
                required.pop()
            if both:
                beside_or = bool(groups) and groups[-1][-1] == kept[-1]
                required += [text] if beside_or else [kept[-1], text]
            kept.append(text)
        alternative = both = False
    return Written(
        text=" ".join(kept),
        phrases=tuple(phrases[:MAX_DEMANDS]),
        required=tuple(word for word in dict.fromkeys(required) if word not in phrases)[:MAX_DEMANDS],
        excluded=tuple(excluded[:MAX_DEMANDS]),
        alternatives=tuple(tuple(group) for group in groups[:MAX_DEMANDS]),
    )


def _join(groups: list[list[str]], before: str, after: str) -> None:
    if groups and groups[-1][-1] == before:
        groups[-1].append(after)
    else:
        groups.append([before, after])
