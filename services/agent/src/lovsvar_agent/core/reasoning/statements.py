"""A model's prose taken apart into statements: sentences, items and headings, each with the sources that it names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from lovsvar_agent.core.reasoning.prose import HEADING
from lovsvar_legaltext.sentences import sentence_spans


class Form(StrEnum):
    """Where a statement is written."""

    SENTENCE = "sentence"
    ITEM = "item"
    HEADING = "heading"


@dataclass(frozen=True)
class Statement:
    """A sentence of prose. `written` is as it is there, between `start` and `end` of its line; `text` has no markers.

    `ids` are the sources that its own markers name, `around` those of what it introduces or belongs to: a heading's
    are those of its part, a list's those of its items, an item's those of the words before its list.
    """

    line: int
    start: int
    end: int
    form: Form
    written: str
    text: str
    ids: tuple[str, ...] = ()
    around: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of what it is bound to."""
        return self.ids or self.around


def settled_markers(prose: str, ids: str) -> str:
    """Return `prose` with the markers after a full stop before it, so that each is in the sentence that it is of."""
    group = rf"((?:\s*\[{ids}\])+)"
    return re.sub(rf"([.?!]+)[ \t]*(?<![\d\s]\.){group}(?=\s|$)", lambda m: f" {m[2].strip()}{m[1]}", prose)


def statements(prose: str, ids: str) -> tuple[Statement, ...]:
    """Return the statements of plain prose, in order; ids of sources match the regular expression `ids`."""
    marker = re.compile(rf"\s*\[({ids})\]")
    lines = prose.split("\n")
    found = [statement for number, line in enumerate(lines) for statement in _of_line(number, line, marker)]
    return tuple(_with_around(found))


def edited(prose: str, changes: Mapping[Statement, str]) -> str:
    """Return `prose` with other words for some of its statements, and without those that get none.

    Lines and headings that have nothing left go too.
    """
    lines = prose.split("\n")
    emptied = set()
    for one in sorted(changes, key=lambda s: (s.line, s.start), reverse=True):
        line, words = lines[one.line], changes[one]
        lines[one.line] = " ".join(filter(None, (line[: one.start].rstrip(), words, line[one.end :].lstrip())))
        if not lines[one.line].strip(" -*#•"):
            emptied.add(one.line)
    return _without_bare_headings([line for number, line in enumerate(lines) if number not in emptied])


def marked(statement: Statement, ids: Iterable[str]) -> str:
    """Return a statement as written with markers of `ids` before its full stop."""
    markers = "".join(f" [{i}]" for i in ids)
    body = statement.written.rstrip(".?!:")
    return f"{body}{markers}{statement.written[len(body) :]}"


def _of_line(number: int, line: str, marker: re.Pattern[str]) -> Iterator[Statement]:
    form, begin = Form.SENTENCE, 0
    if line.startswith(HEADING):
        form, begin = Form.HEADING, len(HEADING)
    elif item := _ITEM.match(line):
        form, begin = Form.ITEM, item.end()
    spans = [(begin, len(line))] if form is Form.HEADING else sentence_spans(line, begin, len(line))
    for start, end in spans:
        written = line[start:end]
        text = marker.sub("", written).strip()
        if any(c.isalnum() for c in text):
            yield Statement(number, start, end, form, written, text, tuple(dict.fromkeys(marker.findall(written))))


_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s+")


def _with_around(found: Sequence[Statement]) -> Iterator[Statement]:
    for place, one in enumerate(found):
        after = found[place + 1 :]
        if one.form is Form.HEADING:
            yield replace(one, around=_ids(takewhile(lambda s: s.form is not Form.HEADING, after)))
        elif one.form is Form.ITEM:
            lead = next((s for s in reversed(found[:place]) if s.form is not Form.ITEM), None)
            yield replace(one, around=lead.ids if lead and lead.text.endswith(":") else ())
        elif one.text.endswith(":"):
            yield replace(one, around=_ids(takewhile(lambda s: s.form is Form.ITEM, after)))
        else:
            yield one


def _ids(found: Iterable[Statement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for one in found for i in one.ids))


def _without_bare_headings(lines: Sequence[str]) -> str:
    kept: list[str] = []
    for line in reversed(lines):
        following = next((one for one in reversed(kept) if one.strip()), None)
        if line.startswith(HEADING) and (following is None or following.startswith(HEADING)):
            continue
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(reversed(kept))).strip()
