"""Where a provision's blocks stand in its stored text."""

from lovsvar_agent.core.layout import ledd_at, lines
from lovsvar_contracts.law import Block, BlockKind


def test_list_items_belong_to_the_ledd_that_leads_them_in(make_provision) -> None:
    provision = make_provision("Første.", ("Dette gjelder", ["årer", "seil"]), "Siste.")
    assert [(line.kind, line.ledd) for line in lines(provision)] == [
        (BlockKind.LEDD, 1),
        (BlockKind.LEDD, 2),
        (BlockKind.LIST_ITEM, 2),
        (BlockKind.LIST_ITEM, 2),
        (BlockKind.LEDD, 3),
    ]


def test_the_words_begin_behind_the_label(make_provision) -> None:
    provision = make_provision(("Dette gjelder", ["årer"]))
    item = lines(provision)[1]
    assert provision.text[item.start : item.end] == "a. årer"
    assert provision.text[item.body : item.end] == "årer"


def test_text_that_repeats_is_told_apart_by_its_place(make_provision) -> None:
    provision = make_provision("Båten skal vaskes.", "Båten skal vaskes.")
    assert ledd_at(provision, 0) == 1
    assert ledd_at(provision, provision.text.rindex("Båten")) == 2


def test_without_blocks_labels_tell_list_items(make_provision) -> None:
    provision = make_provision("(1) Dette gjelder").model_copy(
        update={"text": "(1) Dette gjelder\na. årer\n1. tofter\n- seil", "blocks": ()}
    )
    kinds = [line.kind for line in lines(provision)]
    assert kinds == [BlockKind.LEDD, BlockKind.LIST_ITEM, BlockKind.LIST_ITEM, BlockKind.LIST_ITEM]
    assert ledd_at(provision, 0) is None


def test_a_block_whose_text_is_not_in_the_stored_text_moves_no_other(make_provision) -> None:
    provision = make_provision("Første.", "Andre.")
    stray = Block(kind=BlockKind.LEDD, text="Finnes ikke.", ledd=1)
    provision = provision.model_copy(update={"blocks": (stray, *provision.blocks)})
    assert ledd_at(provision, provision.text.index("Andre")) == 2
