"""An answer as plain text."""

from collections.abc import Iterable

from lovsvar_contracts.blocks import RemarkRole
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.renderer import Renderer, in_context


class TextRenderer(Renderer):
    """Renders plain text, with the `numbers` of citations, and with `addresses` those of listed sources at Lovdata."""

    def __init__(
        self,
        citations: Iterable[Citation],
        evidence: Iterable[Evidence],
        *,
        numbers: bool = True,
        addresses: bool = False,
    ) -> None:
        super().__init__(citations, evidence)
        self._numbers, self._addresses = numbers, addresses

    def _escaped(self, words: str) -> str:
        return words

    _heading = _paragraph = _strong = _escaped

    def _remark(self, words: str, role: RemarkRole) -> str:
        return words

    def _quote(self, number: int, quote: str) -> str:
        return f"«{quote}»{self._number(number)}"

    def _sources(self, citations: Iterable[Citation]) -> str:
        return "\n".join(map(self._source, citations))

    def _source(self, cited: Citation) -> str:
        before, quote, after = in_context(cited)
        line = f"{self._number(cited.number)} {cited.title}: {before}«{quote.strip()}»{after}".strip()
        return f"{line} {cited.lovdata_url}" if self._addresses else line

    def _products(self, products: Iterable[list[str]]) -> str:
        return "\n\n".join("\n".join(lines) for lines in products)

    def _address(self, url: str) -> str:
        return url

    def _link(self, source: Citation | Evidence, text: str) -> str:
        return text

    def _number(self, number: int) -> str:
        return f" [{number}]" if self._numbers else ""
