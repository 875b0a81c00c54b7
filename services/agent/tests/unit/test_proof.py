"""Whether a quote stands in a provision."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lovsvar_agent.core.proof import Proof, Rejection, verify
from lovsvar_contracts.law import Block, BlockKind, LawType, Provision

patiently = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = st.sampled_from(["båten", "eieren", "skal", "«holde»", "årene", "tørre", "jf.", "fjord-båt", "…", "§ 3", "og"])
LEDD = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
PROVISIONS = st.lists(LEDD, min_size=1, max_size=5).map(lambda ledd: provision(*ledd))
DRESS = {
    " ": [" ", "\u00a0", "  ", "\n", "\t "],
    "-": ["-", "–", "‑"],
    "«": ["«", '"', "“"],
    "»": ["»", "”"],
    "…": ["..."],
}


def provision(*ledd: str) -> Provision:
    return Provision(
        refid="lov/2999-01-01-1",
        section="§1",
        value="§ 1",
        title="",
        act="Båtloven",
        document_title="Båtloven",
        law_type=LawType.LOV,
        position=0,
        text="\n".join(ledd),
        blocks=tuple(Block(kind=BlockKind.LEDD, text=text, ledd=n) for n, text in enumerate(ledd, start=1)),
        content_hash="0",
        tokens=1,
        url="/x",
        lovdata_url="https://lovdata.no/x",
        dataset="test",
    )


def letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


@st.composite
def dressed_quotes(draw: st.DrawFn) -> tuple[Provision, int, int, str]:
    """A provision, a slice of its text between words, and the slice as somebody else might type it."""
    law = draw(PROVISIONS)
    borders = [0, *(i for i, c in enumerate(law.text) if c.isspace()), len(law.text)]
    start, end = sorted(draw(st.lists(st.sampled_from(borders), min_size=2, max_size=2, unique=True)))
    quote = "".join(draw(st.sampled_from(DRESS.get(c, [c]))) for c in law.text[start:end])
    return law, start, end, draw(st.sampled_from(["", "«", " ", "… "])) + quote + draw(st.sampled_from(["", "»", " …"]))


@patiently
@given(dressed_quotes())
def test_what_stands_in_the_text_is_found_however_it_is_typed(case: tuple[Provision, int, int, str]) -> None:
    law, start, end, quote = case
    found = verify(quote, law)
    if isinstance(found, Rejection):
        assert not any(c.isalnum() for c in quote)
        return
    assert letters(law.text[found.start : found.end]) == letters(law.text[start:end])


@patiently
@given(PROVISIONS, st.data())
def test_a_changed_word_is_rejected(law: Provision, data: st.DataObject) -> None:
    words = law.text.split()
    place = data.draw(st.integers(0, len(words) - 1))
    words[place] = data.draw(st.sampled_from(["brygga", "ikke", "eierens", "Båtens"]))
    assert isinstance(verify(" ".join(words), law), Rejection)


@patiently
@given(PROVISIONS, st.data())
def test_a_left_out_word_is_rejected(law: Provision, data: st.DataObject) -> None:
    words = law.text.split()
    marked = [f"{word}{n}" for n, word in enumerate(words)]
    whole = provision(" ".join(marked))
    if len(marked) < 3:
        return
    place = data.draw(st.integers(1, len(marked) - 2))
    assert isinstance(verify(" ".join(marked[:place] + marked[place + 1 :]), whole), Rejection)
    assert isinstance(verify(" ".join([*marked[:place], "…", *marked[place + 1 :]]), whole), Rejection)


@patiently
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_at_all_gives_a_proof_or_a_reason(quote: str, text: str) -> None:
    found = verify(quote, provision(text))
    if isinstance(found, Proof):
        assert 0 <= found.start < found.end <= len(text)
        assert isinstance(verify(text[found.start : found.end], provision(text)), Proof)
    else:
        assert found.reason.endswith(".")


@patiently
@given(
    st.text(alphabet="abcæøå e\u0301\u00ad…«-–\n", min_size=1, max_size=40).filter(lambda t: any(map(str.isalpha, t)))
)
def test_a_text_proves_itself(text: str) -> None:
    assert isinstance(verify(text, provision(text)), Proof)


def test_the_ledd_and_the_offsets_of_a_quote_are_told() -> None:
    law = provision("Båten skal vaskes.", "Eieren skal tørke årene.")
    found = verify("skal tørke", law)
    assert isinstance(found, Proof)
    assert found.ledd == 2
    assert law.text[found.start : found.end] == "skal tørke"


def test_a_quote_over_two_ledd_is_in_the_ledd_where_it_begins() -> None:
    found = verify("vaskes. Eieren", provision("Båten skal vaskes.", "Eieren skal tørke årene."))
    assert isinstance(found, Proof)
    assert found.ledd == 1


@pytest.mark.parametrize("quote", ["eier", "ieren", "årene.Og", "Båteneieren", "båten", "", "…", "«»", "Båten … årene"])
def test_parts_of_words_glued_words_other_case_and_nothing_are_rejected(quote: str) -> None:
    assert isinstance(verify(quote, provision("Båten eieren skal tørke årene. Og seilet.")), Rejection)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert isinstance(verify("å ro båten", provision("Det er lov a\u030a ro ba\u030aten.")), Proof)
    assert isinstance(verify("a\u030a ro ba\u030aten", provision("Det er lov å ro båten.")), Proof)


def test_soft_hyphens_do_not_exist() -> None:
    law = provision("Båt\u00adeieren betaler.")
    found = verify("Båteieren betaler", law)
    assert isinstance(found, Proof)
    assert law.text[found.start : found.end] == "Båt\u00adeieren betaler"


@pytest.mark.parametrize("stored", ["etter § 50 .", "etter § 50.", "etter § 50 , i alt", "etter § 50 … i alt"])
def test_space_before_a_closing_mark_does_not_count(stored: str) -> None:
    text = f"Arven deles {stored}"
    found = verify("deles etter § 50", provision(text))
    assert isinstance(found, Proof)
    assert text[found.start : found.end] == "deles etter § 50"


@pytest.mark.parametrize("quote", ["deles etter § 50.", "deles etter § 50 ."])
@pytest.mark.parametrize("stored", ["Arven deles etter § 50.", "Arven deles etter § 50 ."])
def test_a_quote_with_its_closing_mark_holds_with_and_without_the_space(quote: str, stored: str) -> None:
    assert isinstance(verify(quote, provision(stored)), Proof)
