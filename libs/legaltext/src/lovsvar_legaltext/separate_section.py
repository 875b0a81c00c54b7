"""A section that is written apart from its act, and how the two are written as one reference.

People and models give an act in one field and "3-5", "§ 2 A-1", "artikkel 5 nr. 1" or "kap. 3" in another.
"""

import re

_SIGNED = re.compile(r"^\s*(?:§|art|kap|paragraf|pgf|par\b)", re.IGNORECASE)
_TREATY = re.compile(
    r"gdpr|forordning|konvensjon|\bemk\b|\bechr\b|\bsp\b|\bøsk\b|barnekonv|direktiv|\bcrpd\b|\bkdk\b|dublin|eøs|ungdata",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\s*\d")
_DATA_NAME = re.compile(r"^(?:§\s*)?(?P<name>[\w-]+(?:/[\w.-]+)+)(?P<place>\s.*)?$", re.DOTALL)
_PLACED = re.compile(r"§|\bart(?:ikkel|\.)|/\w*a\d|\s\d+-\d+\b", re.IGNORECASE)
_PLACE_ALONE = re.compile(r"^\s*(?:\(|bokstav|litra|nr\b|\w+\.?\s+(?:ledd|punktum)\b)", re.IGNORECASE)
_LISTED = re.compile(
    r"\d.*?(?:[,;&+]|\b(?:og|eller|samt|til)\b)\s*(?:og\s+)?§*\s*\d+\b(?!\.?\s*(?:ledd|punktum))", re.IGNORECASE
)
_SIGNS = (
    (re.compile(r"^\s*(?:§+|paragraf\w*)\s*", re.IGNORECASE), "§", "§§"),
    (re.compile(r"^\s*art(?:ikkel|ikler|iklene|\.)?\s*", re.IGNORECASE), "art.", "artiklene"),
)
"""What a section and an article begin with: as it may be written, of one, of several."""


def names_place(act: str) -> bool:
    """Return whether the name of an act goes on to a place in it: «husleieloven § 3-5». A title may look so."""
    return bool(_PLACED.search(act))


def is_place_alone(section: str) -> bool:
    """Return whether `section` is only a place inside one: «annet ledd», «bokstav b»."""
    return bool(_PLACE_ALONE.match(section))


def is_numbered(section: str) -> bool:
    """Return whether `section` begins as a number or has a section sign."""
    return bool(_NUMBER.match(section)) or "§" in section


def data_name(section: str) -> tuple[str, str] | None:
    """Return Lovdata's own name of a section and the place in it: "gdpr/a5", "nr. 1"; None where it is no such name."""
    match = _DATA_NAME.match(section)
    return (match["name"], (match["place"] or "").strip()) if match else None


def references_to(act: str, section: str) -> list[str]:
    """Return the references that `section` of `act` may mean, in the order in which they are to be tried."""
    section = section.strip().replace(";", ",")
    several = bool(_LISTED.search(section))
    for pattern, _, many in _SIGNS:
        if pattern.match(section):
            return [f"{act} {pattern.sub(f'{many} ', section) if several else section}"]
    if _SIGNED.match(section):
        return [f"{act} {section}"]
    signs = [many if several else one for _, one, many in _SIGNS]
    if _TREATY.search(act) and _NUMBER.match(section):
        signs.reverse()
    return [f"{act} {sign} {section}" for sign in signs]
