"""Whether what one sentence denies and another affirms is the same: "ikke … med mindre" and "bare dersom"."""

import re

from lovsvar_legaltext.bounds import denies_more
from lovsvar_legaltext.clauses import Role
from lovsvar_legaltext.stances import DENIALS, Sentence

DENIAL = re.compile(rf"\b(?:{'|'.join(sorted(DENIALS))}|forb[uo]d\w*|ulov\w*|nekt\w*)\b", re.IGNORECASE)
_DEPENDS = re.compile(
    r"\b(?:bare|berre|kun|only|først|fyrst|må|skal|krever|krev|kreves|must|need\w*|med\s+samtykke)\b", re.IGNORECASE
)
_WITHOUT = re.compile(
    r"\b(?:uten|utan|without|før|before|andre enn|until|(?:hvis|dersom)\s+(?:ikke|ikkje))\b", re.IGNORECASE
)


def says_otherwise(denying: Sentence, affirming: Sentence) -> bool:
    """Whether "not unless" and "only if", or "not more than" and "at most", say the same."""
    if denies_more(denying.text, affirming.text):
        return True
    denial = DENIAL.search(denying.text)
    after = denying.text[denial.end() :] if denial else ""
    excepts = any(s.role is Role.EXCEPTION for s in denying.stances) or bool(_WITHOUT.search(after))
    if any(s.role is Role.EXCEPTION for s in affirming.stances) or _WITHOUT.search(affirming.text):
        return False
    depends = any(s.role is Role.CONDITION for s in affirming.stances) or bool(_DEPENDS.search(affirming.text))
    return excepts and depends


def say_the_same(one: Sentence, other: Sentence) -> bool:
    """Whether one of two sentences says by a condition or "only" what the other denies."""
    return says_otherwise(one, other) or says_otherwise(other, one)
