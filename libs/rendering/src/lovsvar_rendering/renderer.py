"""What all renderers share: the walk over an answer's blocks, and the look-up of what they refer to."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator

from lovsvar_contracts.blocks import (
    AnswerBlock,
    Choices,
    Contact,
    Emergency,
    Explanation,
    Heading,
    List,
    Paragraph,
    Quote,
    Recommendation,
    Recommendations,
    Remark,
    RemarkRole,
    Situation,
    SourceList,
    Span,
    Suggestions,
    Words,
)
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.names import source_name


def quoted(block: Quote, cited: Citation) -> str:
    """Return a quote with an ellipsis where the ledd that it is of has more."""
    return f"{'… ' if block.cut_before else ''}{cited.quote}{' …' if block.cut_after else ''}"


def in_context(cited: Citation) -> tuple[str, str, str]:
    """Return a quote between the words that its whole sentence has before and after it, each in one line."""
    words = [re.escape(word) for word in cited.quote.split()]
    match = re.search(r"\s+".join(words), cited.context) if words else None
    parts = (cited.context[: match.start()], match[0], cited.context[match.end() :]) if match else ("", cited.quote, "")
    before, quote, after = (re.sub(r"\s+", " ", part) for part in parts)
    return before, quote, after


class Renderer(ABC):
    """Renders blocks that refer to `citations` and `evidence`. What these do not have is left out.

    A form is made of strings that `_escaped` or another of its methods returned, and of citations, which are raw.
    """

    _between = "\n\n"

    def __init__(self, citations: Iterable[Citation], evidence: Iterable[Evidence]) -> None:
        self._citations = {c.number: c for c in citations}
        self._evidence = {e.evidence_id: e for e in evidence}

    def render(self, blocks: Iterable[AnswerBlock]) -> str:
        """Return the blocks in this form."""
        return self._between.join(self.pieces(blocks))

    def pieces(self, blocks: Iterable[AnswerBlock]) -> Iterator[str]:
        """Yield each block that has anything to show."""
        return filter(None, map(self._block, blocks))

    def _block(self, block: AnswerBlock) -> str:  # noqa: PLR0911 - one case a kind
        match block:
            case Heading(words=words):
                return self._heading(self._words(words))
            case Paragraph(words=words):
                return self._paragraph(self._words(words))
            case Remark(words=words, role=role):
                return self._remark(self._words(words), role)
            case Quote(citation=number, why=why):
                cited = self._citations.get(number)
                return self._titled(self._paragraph, why, self._quote(number, quoted(block, cited))) if cited else ""
            case Explanation(label=label, words=words):
                return self._remark(f"{self._escaped(f'{label}: ')}{self._words(words)}", RemarkRole.MODE)
            case Emergency(title=title, contacts=contacts):
                return self._titled(self._heading, title, self._list(map(self._contact, contacts), ordered=False))
            case Situation():
                return self._situation(block)
            case Choices(title=title, choices=choices):
                asked = (self._escaped(choice.question) for choice in choices)
                return self._titled(self._paragraph, title, self._list(asked, ordered=False))
            case Recommendations():
                return self._recommendations(block)
            case List(items=items, ordered=ordered):
                return self._list(map(self._words, items), ordered=ordered)
            case Suggestions(title=title, evidence_ids=ids):
                near = [self._evidence[i] for i in ids if i in self._evidence]
                links = [self._link(e, source_name(e)) for e in near]
                return self._titled(self._paragraph, title, self._list(links, ordered=False)) if near else ""
            case SourceList(title=title):
                cited_all = self._citations.values()
                return self._titled(self._heading, title, self._sources(cited_all)) if cited_all else ""

    def _situation(self, block: Situation) -> str:
        parts = [self._heading(self._escaped(block.title))]
        parts.append(self._list(map(self._escaped, block.steps), ordered=True))
        facts = [f"{self._escaped(f'{fact.label}: ')}{self._words(fact.words)}" for fact in block.facts]
        facts += [self._contact(block.contact)] if block.contact else []
        parts += [self._list(facts, ordered=False)] if facts else []
        parts += [self._remark(self._escaped(block.note), RemarkRole.MODE)] if block.note else []
        return self._between.join(parts)

    def _recommendations(self, block: Recommendations) -> str:
        if not block.items:
            return ""
        parts = [self._heading(self._escaped(block.title))]
        parts += [self._remark(self._escaped(block.note), RemarkRole.MODE)] if block.note else []
        return self._between.join((*parts, self._products(self._product(item, block.invented) for item in block.items)))

    def _product(self, item: Recommendation, invented: str) -> list[str]:
        """Return name and price, why, where it is from if it is invented, and the address: a line each.

        An address that the item's evidence does not have is left out.
        """
        source = self._evidence.get(item.evidence_id)
        price = self._escaped(f" ({item.price})") if item.price else ""
        lines = [self._strong(self._escaped(item.name)) + price]
        lines += [self._escaped(item.why)] if item.why else []
        lines += [self._escaped(f"{item.catalogue}: {invented}")] if item.invented and invented else []
        return lines + ([self._address(item.url)] if item.url and source and source.url == item.url else [])

    def _contact(self, contact: Contact) -> str:
        """Return who helps in one line; an address is text, and no link, since it is not of the evidence."""
        reached = ", ".join(filter(None, (contact.phone, contact.url.removeprefix("https://"))))
        name = f"{contact.name} ({reached})" if reached else contact.name
        return self._escaped(f"{name}: {contact.does}" if contact.does else name)

    def _titled(self, form: Callable[[str], str], title: str, rest: str) -> str:
        return self._between.join((form(self._escaped(title)), rest)) if title else rest

    def _words(self, words: Words) -> str:
        return "".join(map(self._span, words)).strip()

    def _span(self, span: Span) -> str:
        source = self._evidence.get(span.evidence_id or "")
        text = self._link(source, span.text) if source else self._escaped(span.text)
        return (self._strong(text) if span.strong else text) + "".join(map(self._number, span.citations))

    @abstractmethod
    def _escaped(self, words: str) -> str: ...
    @abstractmethod
    def _heading(self, words: str) -> str: ...
    @abstractmethod
    def _paragraph(self, words: str) -> str: ...
    @abstractmethod
    def _remark(self, words: str, role: RemarkRole) -> str: ...

    def _list(self, items: Iterable[str], *, ordered: bool) -> str:
        rows = enumerate(map(self._paragraph, items), start=1)
        return "\n".join(f"{f'{n}.' if ordered else '-'} {row}" for n, row in rows)

    @abstractmethod
    def _quote(self, number: int, quote: str) -> str: ...
    @abstractmethod
    def _sources(self, citations: Iterable[Citation]) -> str: ...
    @abstractmethod
    def _products(self, products: Iterable[list[str]]) -> str: ...
    @abstractmethod
    def _address(self, url: str) -> str: ...
    @abstractmethod
    def _strong(self, words: str) -> str: ...
    @abstractmethod
    def _link(self, source: Citation | Evidence, text: str) -> str: ...
    @abstractmethod
    def _number(self, number: int) -> str: ...
