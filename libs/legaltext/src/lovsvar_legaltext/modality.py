"""What a sentence of law does: permits, obliges, forbids or exempts; in bokmål, nynorsk and English.

A claim about the law may say it in other words, and not with another force: "kan" is not "skal", and "kan ikke" is
neither. Where the law uses no word of either kind ("Leieren betaler …"), nothing is decided.
"""

import re
from enum import StrEnum


class Force(StrEnum):
    """What a sentence does to whom it addresses."""

    PERMIT = "permit"
    ENTITLE = "entitle"
    """A right; `forces` does not tell it from permission."""
    ADVISE = "advise"
    """"Bør"; `forces` does not tell it from a duty."""
    OBLIGE = "oblige"
    FORBID = "forbid"
    EXEMPT = "exempt"


_FLAGS = re.IGNORECASE | re.VERBOSE
_NOT = r"(?: ikke | ikkje | aldri | not | never )"
_NO = r"(?: ikke | ikkje | not | ingen | inga | no )"
_GAP = r"(?: \s+ (?! men\b | og\b | eller\b | but\b | and\b ) [\w§-]+ ){0,6}? \s+"
_MAY = r"(?: kan | kunne | may | can | could )"
_MUST = r"(?: skal | må | bør | skulle | måtte | plikter | pliktar | shall | must | should )"
_DUTY = r"(?: plikt\w* | nødvendig | naudsynt | påkrevd | required | obliged | obligation )"
_LEAVE = r"""(?: lov\b | lovlig | lovleg | adgang | høve | tillat\w* | rett\b | krav\b | allowed | permitted | entitled
  | right\b )"""

_PATTERNS = (
    (
        Force.EXEMPT,
        rf"""\b(?: (?: trenger | treng | behøver | need ) {_GAP}? {_NOT}\b | need \s+ not
          | {_NO} \s+ (?: \w+ \s+ )? {_DUTY}
          | (?: slipper | slepp | fritatt | friteken | fritak | unntatt | unnateke | exempt\w* )\b )""",
    ),
    (
        Force.FORBID,
        rf"""\b(?: (?: {_MAY} | {_MUST} ) (?: {_GAP} | \s+ ) {_NOT}\b | cannot | can't
          | {_NO} \s+ (?: \w+ \s+ )? {_LEAVE}
          | (?: forbudt | forbode | forbud | forbod | ulovlig | ulovleg | prohibited | forbidden | unlawful | illegal
              | nektes | nektast | straffes | straffast ) \w* )""",
    ),
    (
        Force.PERMIT,
        rf"""\b(?: {_MAY} | rett | (?: krav | adgang | høve ) \s+ (?: til | på ) | lov \s+ til | tillatt | tillate
          | lovlig | lovleg | berettiget | berettiga | entitled | allowed | permitted | right \s+ to )\b""",
    ),
    (
        Force.OBLIGE,
        rf"""\b(?: {_MUST} | plikt(?: er | ar | en | a | et )? | pliktig\w* | krev(?: es | jast | st ) | kravet? \s+ om
          | påbud\w* | obliged | required | duty | obligation | vilkår | forutset\w* | ansvar\w* | har \s+ å
          | (?: have | has ) \s+ to )\b""",
    ),
)
_COMPILED = tuple((force, re.compile(pattern, _FLAGS)) for force, pattern in _PATTERNS)
_LIMITS = re.compile(
    r"""\b(?: bare | berre | kun | only | med \s mindre | unless | unntatt | ikke | ikkje | ingen | inga | not | no
      | verken | korkje | uten | utan | without )\b""",
    _FLAGS,
)
_CONDITION = re.compile(
    r"""\b(?: (?: bare | berre | kun | only ) \s+ (?: dersom | hvis | når | såfremt | om | if | when | where )
      | med \s mindre | unless | såframt | såfremt | forutsatt \s at | føresett \s at | provided \s that )\b""",
    _FLAGS,
)


def forces(text: str) -> frozenset[Force]:
    """Return what the sentences of `text` do. What is denied is not permitted as well: "kan ikke" forbids alone."""
    found = set()
    for force, pattern in _COMPILED:
        text, count = pattern.subn(lambda match: " " * len(match.group()), text)
        if count:
            found.add(force)
    return frozenset(found)


def limits(text: str) -> bool:
    """Whether `text` denies or limits anything: "ikke", "ingen", "bare", "med mindre"."""
    return bool(_LIMITS.search(text))


def condition(text: str) -> str:
    """Return the words with which a rule is made to depend on a condition ("bare dersom", "med mindre"), or ""."""
    match = _CONDITION.search(text)
    return match.group().casefold() if match else ""


def contradicts(claim: str, source: str) -> Force | None:
    """Return the force that `claim` has and `source` speaks against, or None.

    A claim that permits what the source only obliges or forbids, obliges what it only permits, or forbids where the
    source denies and limits nothing is contradicted. A source without any force contradicts no permission or duty.
    """
    said, law = forces(claim), forces(source)
    if Force.PERMIT in said and law and Force.PERMIT not in law and Force.EXEMPT not in law:
        return Force.PERMIT
    if Force.OBLIGE in said and law and Force.OBLIGE not in law and Force.FORBID not in law:
        return Force.OBLIGE
    if Force.FORBID in said and Force.FORBID not in law and not limits(source):
        return Force.FORBID
    if Force.EXEMPT in said and Force.EXEMPT not in law and not limits(source):
        return Force.EXEMPT
    return None
