"""What sources and acts are called in an answer."""

import re

from lovsvar_contracts.questions import Evidence


def source_name(evidence: Evidence) -> str:
    """Return how an answer names a source: 'Husleieloven § 3-5 (Depositum)'; what is no provision has its title."""
    if evidence.section is None:
        return evidence.title
    value, _, heading = evidence.title.partition(". ")
    heading = heading.strip(" .")
    if heading.startswith("(") and heading.endswith(")"):
        heading = heading[1:-1].strip(" .")
    act = act_name(evidence.act)
    name = f"{act[:1].upper()}{act[1:]} {value.rstrip('.')}".strip()
    return f"{name} ({heading})" if heading else name


def act_name(act: str) -> str:
    """Return an act's short title without its abbreviation: 'Husleieloven' of 'Husleieloven – husll'."""
    return re.split(r"\s+[–-]\s+", act)[0].strip()
