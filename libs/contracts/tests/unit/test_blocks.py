"""The blocks of an answer, between writers and readers of different age."""

from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from lovsvar_contracts.blocks import AnswerBlock, AnswerBlocks, Paragraph, Remark, RemarkRole, plain

BLOCKS = TypeAdapter(AnswerBlocks)
SAID = Paragraph(words=plain("Ja."))


def test_blocks_are_read_by_their_kind() -> None:
    written = b'[{"kind":"paragraph","words":[{"text":"Ja."}]},{"kind":"quote","citation":1}]'
    assert [block.kind for block in BLOCKS.validate_json(written)] == ["paragraph", "quote"]
    assert BLOCKS.validate_json(written)[0] == SAID


@pytest.mark.parametrize("newer", [{"kind": "tomorrow", "words": 7}, {"words": []}])
def test_a_block_of_a_kind_that_is_not_known_is_left_out(newer: dict) -> None:
    assert BLOCKS.validate_python([newer, SAID.model_dump(), newer]) == (SAID,)


def test_a_known_kind_with_wrong_fields_is_refused() -> None:
    for wrong in ([{"kind": "quote", "citation": "x"}], "paragraph"):
        with pytest.raises(ValidationError):
            BLOCKS.validate_python(wrong)


def test_a_remark_with_a_role_that_is_not_known_is_a_note() -> None:
    (remark,) = BLOCKS.validate_json(b'[{"kind":"remark","role":"tomorrow","words":[]}]')
    assert remark == Remark(role=RemarkRole.NOTE, words=())


def test_each_kind_is_of_one_model() -> None:
    kinds = [model.model_fields["kind"].default for model in get_args(AnswerBlock)]
    assert len(kinds) == len(set(kinds)) == 12
