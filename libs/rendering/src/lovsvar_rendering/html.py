"""An answer as HTML: escaped where it is made, and sanitised by nh3 besides, with links to its own evidence only."""

from collections.abc import Iterable
from html import escape

import nh3

from lovsvar_contracts.blocks import AnswerBlock, RemarkRole
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.renderer import Renderer, in_context

TAGS = frozenset({"p", "blockquote", "a", "ol", "ul", "li", "strong", "em", "sup"})

_EMPHASIS = {RemarkRole.SAMPLE: "strong", RemarkRole.MODE: "em"}


def sanitised(html: str, evidence: Iterable[Evidence]) -> str:
    """Return `html` with `TAGS` alone, and with links to `evidence` alone."""
    allowed = {url for e in evidence for url in (e.url, e.lovdata_url)}

    def keep(tag: str, attribute: str, value: str) -> str | None:
        return value if (tag, attribute) == ("a", "href") and value in allowed else None

    return nh3.clean(
        html,
        tags=set(TAGS),
        attributes={"a": {"href"}},
        attribute_filter=keep,
        url_schemes={"https"},
        link_rel=None,
    )


class HtmlRenderer(Renderer):
    """Renders sanitised HTML, with links to the evidence only."""

    _between = ""

    def render(self, blocks: Iterable[AnswerBlock]) -> str:
        """Return the blocks as sanitised HTML."""
        return sanitised(super().render(blocks), self._evidence.values())

    def _escaped(self, words: str) -> str:
        return escape(words)

    def _heading(self, words: str) -> str:
        return self._paragraph(self._strong(words))

    def _paragraph(self, words: str) -> str:
        return f"<p>{words}</p>"

    def _remark(self, words: str, role: RemarkRole) -> str:
        tag = _EMPHASIS.get(role)
        return self._paragraph(f"<{tag}>{words}</{tag}>" if tag else words)

    def _list(self, items: Iterable[str], *, ordered: bool) -> str:
        tag = "ol" if ordered else "ul"
        return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>"

    def _quote(self, number: int, quote: str) -> str:
        first, *items = map(escape, quote.split("\n"))
        listed = self._list(items, ordered=False) if items else ""
        return f"<blockquote><p>{first}</p>{listed}<p><sup>[{number}]</sup></p></blockquote>"

    def _sources(self, citations: Iterable[Citation]) -> str:
        return self._list(map(self._source, citations), ordered=True)

    def _source(self, cited: Citation) -> str:
        before, quote, after = map(escape, in_context(cited))
        return f"{self._link(cited, cited.title)}: {before}«{quote.strip()}»{after} <sup>[{cited.number}]</sup>"

    def _products(self, products: Iterable[list[str]]) -> str:
        return self._list(("".join(map(self._paragraph, lines)) for lines in products), ordered=False)

    def _address(self, url: str) -> str:
        return f'<a href="{escape(url)}">{escape(url)}</a>'

    def _strong(self, words: str) -> str:
        return f"<strong>{words}</strong>"

    def _link(self, source: Citation | Evidence, text: str) -> str:
        return f'<a href="{escape(source.url)}">{escape(text)}</a>'

    def _number(self, number: int) -> str:
        cited = self._citations.get(number)
        return f" {self._link(cited, f'[{number}]')}" if cited else f" [{number}]"
