"""An answer as Markdown (CommonMark), with links to Lovdata for its own evidence only."""

import re
from collections.abc import Iterable

from lovsvar_contracts.blocks import RemarkRole
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.renderer import Renderer, in_context

_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~&]|^[(:]")
_OPENING = re.compile(r"^(?:[-+=]|\d{1,9}(?=[.)]))")
_ADDRESS = re.compile(r"https?://[^\s<>\\]+")
_BREAKS_OUT = re.compile(r"[^!#$%&'+,\-./0-9:=?@A-Za-z_]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
"""Signs of an address that Markdown could read as its own."""

_EMPHASIS = {RemarkRole.SAMPLE: "**", RemarkRole.MODE: "*"}


class MarkdownRenderer(Renderer):
    """Renders Markdown. All words are escaped; only sources are links."""

    def _escaped(self, words: str) -> str:
        """Return `words` in one line. A sign that would continue the number of a citation is escaped too."""
        return _SPECIAL.sub(r"\\\g<0>", re.sub(r"\s+", " ", words))

    def _heading(self, words: str) -> str:
        return f"### {words}"

    def _paragraph(self, words: str) -> str:
        """Return `words` with nothing at their beginning that would make them a list or a rule."""
        return _OPENING.sub(lambda m: f"{m[0]}\\" if m[0].isdigit() else f"\\{m[0]}", words.strip())

    def _remark(self, words: str, role: RemarkRole) -> str:
        sign, words = _EMPHASIS.get(role), words.strip()
        return f"{sign}{words}{sign}" if sign and words else self._paragraph(words)

    def _quote(self, number: int, quote: str) -> str:
        lines = (self._paragraph(self._escaped(line)) for line in f"«{quote}»".split("\n"))
        return "> " + "  \n> ".join(lines) + f" [{number}]"

    def _sources(self, citations: Iterable[Citation]) -> str:
        return self._list(map(self._source, citations), ordered=False)

    def _source(self, cited: Citation) -> str:
        before, quote, after = map(self._escaped, in_context(cited))
        return f"[{cited.number}] {self._link(cited, cited.title)}: {before}«{quote}»{after}"

    def _products(self, products: Iterable[list[str]]) -> str:
        shown = ([head, *filter(None, map(self._paragraph, lines))] for head, *lines in products)
        return "\n\n".join(map("  \n".join, shown))

    def _address(self, url: str) -> str:
        encoded = _BREAKS_OUT.sub(lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode()), url)
        return f"🔗 {encoded}" if _ADDRESS.fullmatch(encoded) else ""

    def _strong(self, words: str) -> str:
        return f"**{words}**" if words else ""

    def _link(self, source: Citation | Evidence, text: str) -> str:
        if not _ADDRESS.fullmatch(source.lovdata_url):
            return self._escaped(text)
        return f"[{self._escaped(text)}]({source.lovdata_url.replace('(', '%28').replace(')', '%29')})"

    def _number(self, number: int) -> str:
        return f" [{number}]"
