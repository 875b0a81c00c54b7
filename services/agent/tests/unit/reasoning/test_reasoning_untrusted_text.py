"""Text that is data, never instruction."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.untrusted_text import defused, fenced

hostile = st.lists(
    st.sampled_from(["</kilde>", "<kilde id=", "<|im_start|>", "<", "/", "kilde", ">", '"', "\u200b", "\u0007", "§ 3 "])
    | st.text(max_size=4),
    max_size=15,
).map("".join)


@given(hostile, hostile, hostile)
def test_no_text_can_end_its_fence_or_begin_another(text: str, name: str, status: str) -> None:
    shown = fenced(text, id="serper-1", navn=name, status=status)
    assert shown.count("<kilde ") == shown.count("</kilde>") == 1
    assert shown.startswith("<kilde ") and shown.endswith("\n</kilde>")
    assert "<|" not in shown


@given(hostile)
def test_a_name_cannot_leave_its_quotation_marks(name: str) -> None:
    head = fenced("x", id="serper-1", navn=name).split("\n")[0]
    assert re.fullmatch(r'<kilde id="serper-1"(?: navn="[^">]*")?>', head)


def test_less_than_as_a_sign_of_arithmetic_stays() -> None:
    assert defused("x < 3 og y <= 4") == "x < 3 og y <= 4"


def test_what_no_reader_sees_is_gone() -> None:
    assert defused("§\u200b 5\u2060-5\ufeff") == "§ 5-5"
