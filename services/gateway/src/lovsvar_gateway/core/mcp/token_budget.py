"""What of a provision fits in a number of tokens, and how the rest is asked for."""

from bisect import bisect_right
from dataclasses import dataclass

from lovsvar_contracts.law import BlockKind, Provision
from lovsvar_contracts.search import ResolvedReference
from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_gateway.core.mcp.results import ShownProvision
from lovsvar_legaltext.amendments import in_force_since
from lovsvar_legaltext.citation_forms import in_words
from lovsvar_legaltext.places import words_of

MAX_TOKENS = 60_000  # what an answer may cost at most; larger provisions are read a ledd at a time
LEAST_TOKENS = 20  # a smaller budget shows too few words to be of use


@dataclass(frozen=True)
class Cut:
    """The beginning of a text, and whether that is all of it."""

    text: str
    tokens: int
    truncated: bool


def cut(text: str, budget: int) -> Cut:
    """Return what of `text` fits in `budget` tokens: whole lines, or else whole words of the first."""
    tokens = estimate_tokens(text)
    if tokens <= budget:
        return Cut(text, tokens, truncated=False)
    kept: list[str] = []
    used = 0
    for line in text.split("\n"):
        cost = estimate_tokens(line) + 1
        if used + cost > budget:
            break
        kept.append(line)
        used += cost
    shown = "\n".join(kept) or _words(text, budget)
    return Cut(shown, estimate_tokens(shown), truncated=True)


def _words(line: str, budget: int) -> str:
    words = line.split(" ")
    counts = range(1, len(words) + 1)
    return " ".join(words[: bisect_right(counts, budget, key=lambda count: estimate_tokens(" ".join(words[:count])))])


def show(provision: Provision, place: ResolvedReference | None, budget: int) -> ShownProvision:
    """Return the provision, or the place in it that is asked for, as far as `budget` tokens allow."""
    # A sentence is not cut out of its ledd, so that what is shown is not called one.
    place = place.model_copy(update={"sentence": None}) if place is not None else None
    words = words_of(provision, place) if place is not None and in_words(place) else None
    shown = cut(words.text if words is not None else provision.text, max(budget, LEAST_TOKENS))
    return ShownProvision.of(
        provision,
        heading=heading(provision),
        text=shown.text,
        place=in_words(place) if place is not None and words is not None else "",
        tokens=shown.tokens,
        full_tokens=provision.tokens,
        truncated=shown.truncated,
        rest=rest(provision) if shown.truncated else "",
        in_force_from=in_force_since(provision),
    )


def heading(provision: Provision) -> str:
    """Return number and title of a provision: '§ 3-5. Depositum'."""
    return ". ".join(part for part in (provision.value.rstrip("."), provision.title) if part) or provision.section


def rest(provision: Provision) -> str:
    """Return how the whole of a provision, or the ledd that is wanted, is asked for."""
    # An article's number alone names no one of several treaties in an act.
    name = provision.value if provision.section.startswith("§") and provision.value else provision.section
    call = f'lov("{provision.refid}", "{name}"'
    ledd = sum(block.kind is BlockKind.LEDD for block in provision.blocks)
    most = min(provision.tokens + 50, MAX_TOKENS)
    what = "Hent hele bestemmelsen" if most < MAX_TOKENS else "Hent det meste av bestemmelsen"
    more = f"{what} ({provision.tokens} tokens) med {call}, max_tokens={most})"
    if ledd < 2:
        return f"{more}."
    one = f'lov("{provision.refid}", "{name} annet ledd")'
    return f"{more}, eller ett av de {ledd} leddene, for eksempel med {one}."
