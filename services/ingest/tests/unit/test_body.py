"""How a document's body is read."""

from collections.abc import Callable

import pytest
from pydantic import TypeAdapter

from lovsvar_contracts.law import Block, BlockKind, InForce, ProvisionKind, StructureKind
from lovsvar_ingest.core.body import PART
from lovsvar_ingest.core.corpus import ParsedDocument, Section
from lovsvar_ingest.core.errors import MalformedDocument
from lovsvar_ingest.core.lovdata_reader import PARSER_VERSION

Parse = Callable[..., ParsedDocument]
Article = Callable[..., str]
Ledd = Callable[[str], str]

blocks_adapter = TypeAdapter(tuple[Block, ...])


def blocks_of(section: Section) -> tuple[Block, ...]:
    """Return the stored blocks as other services read them."""
    return blocks_adapter.validate_json(section.blocks_json)


def test_a_provision_has_its_name_value_title_and_path(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    provision = make_article("§3-5", make_ledd("Første.") + make_ledd("Andre."), "Depositum")
    inner = f'<section class="section" data-name="kap3"><h3>Kapittel 3. Leie</h3>{provision}</section>'
    document = parse(f'<section class="section" data-name="del1"><h2>Første del</h2>{inner}</section>')
    [section] = document.sections
    assert (section.section, section.value, section.title) == ("§3-5", "§ 3-5", "Depositum")
    assert section.path == ("Første del", "Kapittel 3. Leie")
    assert section.text == "Første.\nAndre."
    assert [(b.kind, b.ledd) for b in blocks_of(section)] == [(BlockKind.LEDD, 1), (BlockKind.LEDD, 2)]
    assert [(s.kind, s.name, s.parent) for s in document.structures] == [
        (StructureKind.DEL, "del1", None),
        (StructureKind.KAPITTEL, "kap3", 0),
    ]
    assert section.structure == 1


def test_numbered_ledd_keep_their_label_apart_from_the_text(parse: Parse, make_article: Article) -> None:
    numbered = "".join(
        f'<article class="numberedLegalP" data-numerator="{n}">{text}</article>'
        for n, text in (("1", "(1) En."), ("2", "(2)To."), ("4", "(4) Fire."))
    )
    [section] = parse(make_article("§1", numbered)).sections
    assert section.text == "(1) En.\n(2) To.\n(4) Fire."
    assert [(b.label, b.ledd, b.text) for b in blocks_of(section)] == [
        ("(1)", 1, "En."),
        ("(2)", 2, "To."),
        ("(4)", 4, "Fire."),
    ]


@pytest.mark.parametrize(
    ("number", "text", "expected"),
    [
        ("1", "1. En.", "1. En."),
        ("1a", "1a. En.", "1a. En."),
        ("1", "En.", "(1) En."),
        ("2", "2024 er et år.", "(2) 2024 er et år."),
    ],
)
def test_a_number_that_is_not_printed_is_added(
    parse: Parse, make_article: Article, number: str, text: str, expected: str
) -> None:
    body = f'<article class="numberedLegalP" data-numerator="{number}">{text}</article>'
    assert parse(make_article("§1", body)).sections[0].text == expected


def test_list_items_keep_their_labels_at_every_depth(
    parse: Parse, make_article: Article, make_item: Callable[..., str]
) -> None:
    items = make_item(
        "a.", "ytterst" + make_item("1.", "dypere" + make_item("-", "dypest,") + "etterpå", "nytt avsnitt")
    )
    rest = '<p class="leddfortsettelse">Slutt.</p>'
    [section] = parse(make_article("§1", f'<article class="legalP">Innled{items}{rest}</article>')).sections
    lines = ["Innled", "a. ytterst", "1. dypere", "- dypest,", "etterpå", "nytt avsnitt", "Slutt."]
    assert section.text.splitlines() == lines
    [block] = blocks_of(section)
    assert block.children[0].children[0].children[0].label == "-"


def test_inline_elements_join_and_line_breaks_part(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    text = make_ledd("CO<sub>2</sub>-utslipp\n  og <i>bil</i>de<strong>r</strong>.<br/>Ny&#160;linje, skjer&#173;met")
    [section] = parse(make_article("§1", text)).sections
    assert section.text == "CO2-utslipp og bilder.\nNy linje, skjermet"


def test_blocks_never_touch(
    parse: Parse, make_article: Article, make_ledd: Ledd, make_item: Callable[..., str]
) -> None:
    body = make_ledd("ord" + make_item("a.", "miljø") + "korrupsjon")
    assert parse(make_article("§1", body)).sections[0].text == "ord\na. miljø\nkorrupsjon"


def test_a_table_is_rows_of_cells(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    table = """<table><caption>Satser</caption><thead><tr><th colspan="2">Sone</th></tr></thead>
        <tbody><tr><td rowspan="2">A</td><td>10<br/>kroner</td></tr></tbody></table>"""
    [section] = parse(make_article("§1", make_ledd(f"Se her:{table}"))).sections
    assert section.text == "Se her:\nSatser\nSone\nA | 10 kroner"
    table_block = blocks_of(section)[0].children[0]
    assert table_block.kind is BlockKind.TABLE
    assert [[(c.text, c.columns, c.rows) for c in row.children] for row in table_block.children] == [
        [("Sone", 2, 1)],
        [("A", 1, 2), ("10\nkroner", 1, 1)],
    ]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("<table>i tabell<tr><td>A</td></tr></table>", "A\ni tabell"),
        ("<table><tbody>i kropp<tr><td>A</td></tr>etter rad</tbody></table>", "A\ni kropp\netter rad"),
        ("<table><tr>i rad<td>A</td>etter celle</tr></table>", "A\ni rad\netter celle"),
        ("<table><p>avsnitt</p><tr><td>A</td></tr></table>", "A\navsnitt"),
        ("<table><tbody><p>ingen rad</p></tbody></table>", "ingen rad"),
    ],
)
def test_what_stands_in_a_table_outside_its_cells_is_kept_behind_it(
    parse: Parse, make_article: Article, make_ledd: Ledd, table: str, text: str
) -> None:
    assert parse(make_article("§1", make_ledd(f"Se:{table}"))).sections[0].text == f"Se:\n{text}"


def test_text_inside_a_line_break_is_text(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    assert parse(make_article("§1", make_ledd("før<br>inni</br>etter"))).sections[0].text == "før\ninnietter"


@pytest.mark.parametrize("attribute", ["data-li-identifier", "data-name"])
def test_a_list_item_is_labelled_by_whichever_of_its_attributes_names_it(
    parse: Parse, make_article: Article, make_ledd: Ledd, attribute: str
) -> None:
    items = f'Krav:<ul><li {attribute}="b)"><article class="listArticle">mål</article></li></ul>'
    assert parse(make_article("§1", make_ledd(items))).sections[0].text == "Krav:\nb) mål"


def test_loose_text_in_a_footer_is_a_footnote_too(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    body = make_ledd("Tekst.") + '<footer class="footnotes">løs tekst</footer>'
    [section] = parse(make_article("§1", body)).sections
    assert (section.text, section.footnotes) == ("Tekst.", ["løs tekst"])


def test_a_formula_is_a_block_of_its_own(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    [section] = parse(make_article("§1", make_ledd('Slik: <div class="latexBlock">$$a=b$$</div> der'))).sections
    assert section.text == "Slik:\n$$a=b$$\nder"
    assert blocks_of(section)[0].children[0].kind is BlockKind.FORMULA


def test_notes_and_footnotes_stand_apart_from_the_text(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    body = (
        make_ledd('Beløp<sup class="footnotereference">1</sup> betales, jf. <a href="lov/2998-01-01-1/§2">§ 2</a>.')
        + '<footer class="footnotes"><article class="footnote"><span class="footnoteLabel">1</span>Se <i>annet</i>.'
        + "</article></footer>"
        + '<article class="changesToParent">Endret ved <a href="lov/2998-12-12-12">lov</a>.</article>'
    )
    [section] = parse(make_article("§1", body)).sections
    assert section.text == "Beløp[1] betales, jf. § 2."
    assert section.footnotes == ["[1] Se annet."]
    assert section.notes == ["Endret ved lov."]
    assert section.refs == ["lov/2998-01-01-1/§2"]


def test_text_that_stands_where_notes_stand_is_the_text_of_a_provision_that_has_no_other(
    parse: Parse, make_article: Article, make_ledd: Ledd
) -> None:
    rates = '<article class="changesToParent">Fagarbeidere:<br/>kr 223,50 per time</article>'
    amended = '<article class="changesToParent">Endret ved lov 1 jan 2999 nr. 1.</article>'
    alone, beside = parse(
        make_article("§1", rates + amended) + make_article("§2", make_ledd("Regel.") + rates)
    ).sections
    assert (alone.text, alone.notes) == ("Fagarbeidere:\nkr 223,50 per time", ["Endret ved lov 1 jan 2999 nr. 1."])
    assert (beside.text, beside.notes) == ("Regel.", ["Fagarbeidere:\nkr 223,50 per time"])


def test_a_proposed_provision_is_marked_and_is_no_provision(
    parse: Parse, make_ledd: Ledd, make_section: Callable[[str, str, str], str]
) -> None:
    future = (
        '<article class="futureLegalArticle" data-name="§4-6"><span class="futureLegalArticleHeader">'
        '<span class="legalArticleValue">§ 4-6</span>. <span class="legalArticleTitle">Frist</span></span>'
        f"{make_ledd('Fristen er to uker.')}</article>"
    )
    told = f'<article class="change"><article class="defaultP">Ny § 4-6 skal lyde:</article>{future}</article>'
    document = parse(make_section("kapI", "I", f'<article class="document-change">{told}</article>'))
    [section] = document.sections
    assert document.provisions == 0
    assert section.kind is ProvisionKind.TEXT
    assert section.text.splitlines() == ["Ny § 4-6 skal lyde:", "§ 4-6 Frist", "Fristen er to uker."]
    assert [block.kind for block in blocks_of(section)] == [BlockKind.PARAGRAPH, BlockKind.FUTURE]


def test_repealed_provisions_keep_their_place(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    past = make_article("§2", "", "(Opphevet)").replace("data-name", 'data-repealeddate="2004-01-01" data-name')
    coming = make_article("§3", make_ledd("Gjelder ennå.")).replace(
        "data-name", 'data-repealeddate="2030-01-01" data-name'
    )
    body = make_article("§1", make_ledd("Gjelder.")) + past + coming + make_article("§4", make_ledd("(Opphevet)"))
    sections = parse(body, head='<dd class="dateInForce">2000-01-01</dd>').sections
    assert [(s.section, s.in_force) for s in sections] == [
        ("§1", InForce.YES),
        ("§2", InForce.REPEALED),
        ("§3", InForce.YES),
        ("§4", InForce.REPEALED),
    ]


def test_names_given_twice_are_qualified_by_their_division(
    parse: Parse, make_article: Article, make_ledd: Ledd
) -> None:
    a1 = make_article("a1", make_ledd("x"))
    annexes = "".join(
        f'<section class="section" data-name="{name}" data-lovdata-URL="NL/lov/x/{url}"><h2>Vedlegg</h2>{a1}</section>'
        for name, url in (("vedlegg1", "V1"), ("vedlegg2", "V2"), ("vedlegg2", "V3"))
    )
    nameless = f'<section class="section" data-lovdata-URL="NL/lov/x/KAPITTEL_9"><h2>Mer</h2>{a1}{a1}</section>'
    document = parse(annexes + nameless)
    assert [s.section for s in document.sections] == [
        "a1",
        "vedlegg2/a1",
        "vedlegg2~2/a1",
        "KAPITTEL_9/a1",
        "KAPITTEL_9/a1~2",
    ]
    assert [s.name for s in document.structures] == ["vedlegg1", "vedlegg2", "vedlegg2~2", "KAPITTEL_9"]


def test_names_that_differ_in_case_alone_stay_apart(parse: Parse, make_article: Article) -> None:
    sections = parse(make_article("§2a", "") + make_article("§2A", "")).sections
    assert len({section.key for section in sections}) == 2


def test_text_outside_provisions_is_stored_in_reading_order(
    parse: Parse, make_article: Article, make_ledd: Ledd, make_section: Callable[[str, str, str], str]
) -> None:
    chapter = make_ledd("Om kapitlet.") + make_article("§1", make_ledd("Regel.")) + make_ledd("Etterord.")
    body = (
        make_ledd("Vi fastsetter:")
        + make_section("kap1", "Kapittel 1", chapter)
        + make_section("vedlegg1", "Vedlegg 1. Skjema", make_ledd("Fyll ut."))
        + make_ledd("Til slutt.")
    )
    assert [(s.section, s.kind, s.title, s.path, s.text) for s in parse(body).sections] == [
        ("innledning", ProvisionKind.PREAMBLE, "", (), "Vi fastsetter:"),
        ("kap1", ProvisionKind.TEXT, "Kapittel 1", (), "Om kapitlet."),
        ("§1", ProvisionKind.PROVISION, "", ("Kapittel 1",), "Regel."),
        ("kap1,2", ProvisionKind.TEXT, "Kapittel 1", (), "Etterord."),
        ("vedlegg1", ProvisionKind.ANNEX, "Vedlegg 1. Skjema", (), "Fyll ut."),
        ("tekst", ProvisionKind.TEXT, "", (), "Til slutt."),
    ]


def test_a_document_without_provisions_is_text(parse: Parse, make_ledd: Ledd) -> None:
    [section] = parse(make_ledd("Kongen har bestemt dette.")).sections
    assert (section.section, section.kind, section.text) == ("tekst", ProvisionKind.TEXT, "Kongen har bestemt dette.")


def test_a_long_annex_is_stored_in_parts_without_losing_a_word(
    parse: Parse, make_ledd: Ledd, make_section: Callable[[str, str, str], str]
) -> None:
    words = [f"ord{n}" for n in range(8_000)]
    rows = "".join(f"<tr><td>rad{n}</td><td>verdi</td></tr>" for n in range(2_000))
    table = f"<table><caption>T</caption>{rows}</table>"
    sections = parse(make_section("vedlegg1", "V", make_ledd(" ".join(words)) + table)).sections
    assert [s.section for s in sections[:3]] == ["vedlegg1", "vedlegg1,2", "vedlegg1,3"]
    assert all(len(s.text) < PART * 2 for s in sections)
    text = " ".join(s.text.replace(" | ", " ") for s in sections).split()
    assert text == [*words, "T", *(w for n in range(2_000) for w in (f"rad{n}", "verdi"))]


def test_notes_of_a_division_stay_with_the_division(parse: Parse, make_article: Article) -> None:
    note = '<article class="changesToParent">Overskriften endret.</article>'
    document = parse(f'<section class="section" data-name="kap1"><h2>K</h2>{note}{make_article("§1", "")}</section>')
    assert document.structures[0].notes == ["Overskriften endret."]
    assert [s.section for s in document.sections] == ["§1"]


def test_provisions_inside_boxes_are_provisions(parse: Parse, make_article: Article, make_ledd: Ledd) -> None:
    document = parse(f'<div class="box">{make_ledd("Før")}{make_article("§1", make_ledd("x"))}</div>')
    assert [s.section for s in document.sections] == ["innledning", "§1"]


@pytest.mark.parametrize("tag", ["div", "i", "li", "p", "a", "blockquote", "ukjent"])
def test_two_hundred_levels_of_nesting_are_read(parse: Parse, tag: str) -> None:
    document = parse(f"<{tag}>" * 200 + "innerst" + f"</{tag}>" * 200)
    assert document.sections[0].text == "innerst"


def test_two_hundred_divisions_inside_each_other_are_read(parse: Parse, make_article: Article) -> None:
    document = parse(
        '<section class="section" data-name="del1"><h2>Del</h2>' * 200 + make_article("§1", "") + "</section>" * 200
    )
    assert len(document.sections[0].path) == len(document.structures) == 200
    assert len({structure.name for structure in document.structures}) == 200


def test_a_document_of_too_many_parts_is_refused(parse: Parse) -> None:
    with pytest.raises(MalformedDocument, match="50000 deler"):
        parse('<article class="legalArticle" data-name="a"/>' * 50_001)


def test_a_text_that_links_and_repeats_endlessly_is_read_in_reasonable_time(
    parse: Parse, make_article: Article
) -> None:
    links = "".join(f'<a href="lov/{n}">x</a>' for n in range(50_000))
    assert len(parse(make_article("§1", f"<p>{links}</p>")).sections[0].refs) == 50_000
    names = [section.section for section in parse(make_article("§1", "") * 20_000).sections]
    assert len(set(names)) == 20_000


def test_the_hash_changes_with_the_contents_and_with_nothing_else(
    parse: Parse, make_article: Article, make_ledd: Ledd
) -> None:
    body = make_article("§1", make_ledd("Regel.")) + make_article("§2", make_ledd("Mer."))
    first, same = parse(body), parse(body.replace("<article", "<article\n"))
    other = parse(body.replace("Mer.", "Mindre."))
    assert first.content_hash == same.content_hash != other.content_hash
    assert first.sections[0].content_hash == other.sections[0].content_hash
    assert first.sections[1].content_hash != other.sections[1].content_hash


def test_what_a_document_is_read_into_is_numbered(
    parse: Parse, make_article: Article, make_ledd: Ledd, make_item: Callable[..., str]
) -> None:
    """When this fails on purpose, raise `PARSER_VERSION`, so that all files are read again, and note the new hash."""
    numbered = '<article class="numberedLegalP" data-numerator="1">(1) Tall<sup>2</sup>.</article>'
    table = "<table><tr><td>a<br/>b</td><td>c</td></tr></table>"
    note = '<article class="changesToParent">Endret.</article>'
    body = make_article("§1", make_ledd("Ord" + make_item("a.", "ett", "to") + table) + numbered + note, "Tittel")
    assert (PARSER_VERSION, parse(body).content_hash[:16]) == (4, "aad0e38ef557e05c")
