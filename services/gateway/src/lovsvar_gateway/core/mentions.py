"""Where the sections that a provision's text mentions lead.

Lovdata's data links one mention in twenty. The others become links where they plainly mean a section of the same
document that exists, or where an act's name comes right before them; which act that is, is resolved when the link is
followed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.law import Provision
from lovsvar_legaltext.mentions import find_mentions

REFERENCE = "/henvisning"  # the address that redirects to what a written reference, its `ref`, names


@dataclass(frozen=True)
class TextLink:
    """A piece of text, by its offsets, that leads to `href`."""

    start: int
    end: int
    href: str


def sections_of(provisions: Iterable[Provision]) -> Mapping[str, str]:
    """Return the names of a document's sections by the form in which they are compared."""
    return {section_key(p.section): p.section for p in provisions}


def given_links(provision: Provision) -> Mapping[str, str]:
    """Return the address of each paragraph that the law itself links, by its compared name, where it is one address."""
    targets: dict[str, set[tuple[str, str]]] = {}
    for ref in provision.refs:
        refid, mark, rest = ref.partition("/§")
        if mark:
            section = "§" + rest.split("/")[0]
            targets.setdefault(section_key(section), set()).add((refid, section))
    return {
        key: f"#{quote(section)}" if refid == provision.refid else f"/{refid}#{quote(section)}"
        for key, found in targets.items()
        if len(found) == 1
        for refid, section in found
    }


def links_in(text: str, given: Mapping[str, str], own: Mapping[str, str]) -> Iterator[TextLink]:
    """Yield the links of `text`: those `given` by the law itself, to `own` sections, and to acts that are named."""
    for mention in find_mentions(text):
        longest = mention.numbers[0]
        for number in mention.numbers:
            key = section_key(f"§{number}")
            href = given.get(key) or (f"#{quote(own[key])}" if mention.own and key in own else None)
            if href is None and mention.act and len(mention.numbers) == 1:
                href = f"{REFERENCE}?ref={quote(f'{mention.act} § {number}')}"
            if href:
                yield TextLink(mention.start, mention.end - len(longest) + len(number), href)
                break
