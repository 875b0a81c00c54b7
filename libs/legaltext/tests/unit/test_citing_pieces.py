"""Which pieces of a text may cite law."""

from lovsvar_legaltext.citing_pieces import MAX_PIECE, pieces


def test_a_text_is_parted_into_what_may_cite_and_short_enough_to_resolve() -> None:
    text = "Husleieloven § 3-5 gjelder, jf. § 3-6. Dette er en vanlig setning. Se aml. § 15-3 nr. 2.\nIngenting her."
    assert pieces(text) == ["Husleieloven § 3-5 gjelder, jf. § 3-6.", "Se aml. § 15-3 nr. 2."]
    endless = "Se husleieloven § 3-5 og § 3-6, " * 200
    parts = pieces(endless)
    assert all(len(part) <= MAX_PIECE for part in parts)
    assert sum(part.count("§") for part in parts) == 400


def test_a_name_of_two_words_is_not_parted_where_a_long_sentence_is() -> None:
    sentence = "Se " + ", ".join(f"aml. § {n}" for n in range(8)) + " og helse- og omsorgstjenesteloven § 3-2."
    assert any("helse- og omsorgstjenesteloven § 3-2" in piece for piece in pieces(sentence))
