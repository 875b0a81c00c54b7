"""Items of every format, good and bad: a bad one is reported by its line, and nothing else is lost."""

import io
import json
import time
from typing import Any

import pytest

from lovsvar_ingest.core.catalogues.definition import CatalogueDefinition, read_definition
from lovsvar_ingest.core.catalogues.items import LARGEST_ITEM, ItemLimits
from lovsvar_ingest.core.catalogues.products import StoredProduct, passage_hash
from lovsvar_ingest.core.catalogues.reading import BATCH, batches
from lovsvar_ingest.core.errors import SourceUnreadable

TOML = """
id = "test"
name = "Test"
language = "nb"
items = "items"
link_hosts = ["example.org"]
"""

HEADER = "id,name,description,price,url,problems,by"


def definition(more: str = "") -> CatalogueDefinition:
    return read_definition((TOML + more).encode(), "catalogue.toml")


def read(content: bytes | str, name: str = "items.jsonl", more: str = "") -> tuple[list[StoredProduct], list[str]]:
    """Return the products, and what is reported as "line: reason"."""
    file = io.BytesIO(content.encode() if isinstance(content, str) else content)
    read = list(batches(file, name, definition(more)))
    reports = [f"{one.file.rpartition(':')[2]}: {one.reason}" for batch in read for one in batch.reported]
    return [product for batch in read for product in batch.products], reports


def lines(*items: Any) -> str:
    return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in items)


def item(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": number, "name": f"Tilbud {number}", **fields}


HOSTILE: dict[str, Any] = {
    "huge": item(9, description="x" * LARGEST_ITEM),
    "not JSON": '{"id": 9,',
    "not an object": "[1, 2]",
    "nested deeply": '{"id":9,"name":' + "[" * 100_000 + "]" * 100_000 + "}",
    "a number that is none": '{"id": 9, "name": "x", "price": NaN}',
    "a number without end": '{"id": 9, "name": "x", "price": 1' + "0" * 5_000 + "}",
    "no id": {"name": "Uten id"},
    "an id of spaces": {"id": " \u200b ", "name": "x"},
    "a long id": {"id": "x" * 300, "name": "x"},
    "an id that is an object": {"id": {"a": 1}, "name": "x"},
    "no name": {"id": 9},
    "a name that is a list": {"id": 9, "name": ["a", "b"]},
    "a name of markup alone": {"id": 9, "name": "<b></b>"},
    "a repeated id": item(1, description="En annen"),
    "problems that are objects": item(9, problems=[{"a": 1}]),
    "a negative price": item(9, price=-5),
    "an endless id": '{"id": 1e999, "name": "x"}',
    "an endless price": '{"id": 9, "name": "x", "price": 1e999}',
}


@pytest.mark.parametrize("bad", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_item_is_reported_by_its_line_and_the_others_are_read(bad: Any) -> None:
    products, reports = read(lines(item(1), "", bad, item(2)))
    assert [product.name for product in products] == ["Tilbud 1", "Tilbud 2"]
    [report] = reports
    assert report.startswith("3: ")
    assert len(report) < 320


def test_bytes_that_are_no_text_are_one_bad_item() -> None:
    content = lines(item(1)).encode() + b'\n{"id": 2, "name": "\xff\xfe"}\n' + lines(item(3)).encode()
    products, reports = read(content)
    assert [product.product_id for product in products] == ["1", "3"]
    assert reports == ["2: linjen er ikke i UTF-8 (byte 20)"]


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://evil.test/", "https://a:b@example.org/", "https://exаmple.org/"]
)
def test_an_item_with_a_bad_link_is_stored_without_it_and_reported(url: str) -> None:
    products, reports = read(lines(item(1, url=url), item(2, url="https://example.org/2")))
    assert [product.url for product in products] == ["", "https://example.org/2"]
    assert len(reports) == 1
    assert reports[0].endswith("tilbudet er lagret uten lenke")


def test_what_is_stored_is_clean_and_bounded() -> None:
    wild = item(
        1,
        name="A\x00\ud800<b>B</b>" + "x" * 1_000,
        description="y" * 9_000,
        category="\u202eRåd",
        problems=[f"problem {n}" for n in range(90)] + ["problem 1"],
        attributes={"by": "Oslo", "dypt": {"a": {"b": {"c": {"d": 1}}}}},
        **{f"felt {n}": "v" * 2_000 for n in range(90)},
        ja=True,
        tall=3.5,
        tom="",
    )
    [product], reports = read(lines(wild))
    assert reports == []
    assert product.name.startswith("ABx")
    assert (len(product.name), len(product.description), product.category) == (300, 5_000, "Råd")
    assert (len(product.problems), len(product.attributes)) == (50, 50)
    assert product.attributes["by"] == "Oslo"
    assert max(len(value) for value in product.attributes.values()) == 1_000
    [simple], _ = read(lines(item(1, ja=True, tall=3.5, tom="", liste=["a", 2])))
    assert simple.attributes == {"ja": "ja", "tall": "3.5", "liste": ["a", "2"]}


def test_problems_in_a_cell_of_much_space_are_read_at_once() -> None:
    began = time.process_time()
    [product], reports = read(f"id,name,problems\n1,Tilbud,støy |{' ' * 200_000}| hekk\n", "items.csv")
    assert (product.problems, reports) == (("støy", "hekk"), [])
    assert time.process_time() - began < 2.0


def test_prices_are_words_with_an_amount_or_the_catalogues_words() -> None:
    products, _ = read(
        lines(item(1, price="fra kr 500,-"), item(2, price=1200), item(3, price=None), item(4, price=" "))
    )
    assert [(product.price, product.amount) for product in products] == [
        ("fra kr 500,-", 500.0),
        ("1 200", 1200.0),
        ("Pris ikke oppgitt", None),
        ("Pris ikke oppgitt", None),
    ]


def test_the_texts_of_an_item_have_hashes_that_no_text_of_the_law_has() -> None:
    [product], _ = read(lines(item(1, description="Hjelp", problems="støy; naboer")))
    assert [(number, text) for number, _, text in product.passages()] == [
        (0, "Tilbud 1\nHjelp"),
        (1, "støy"),
        (2, "naboer"),
    ]
    assert [key for _, key, _ in product.passages()][1] == passage_hash("støy")
    [same], _ = read(lines(item(1, description="<p>Hjelp</p>", problems=["støy", "naboer"])))
    assert same.content_hash == product.content_hash


def csv_lines(*rows: str, delimiter: str = ",") -> str:
    return "\r\n".join((HEADER, *rows)).replace(",", delimiter) + "\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_is_read_whatever_its_delimiter_and_encoding(delimiter: str, encoding: str) -> None:
    table = csv_lines(
        '1,Råd,"En\r\nto ""sitat""",Gratis,https://example.org/1,støy,Tromsø', "2,Ærlig,,,,,", delimiter=delimiter
    )
    products, reports = read(table.encode(encoding), "items.csv")
    assert reports == []
    first, second = products
    assert (first.name, first.description, first.amount) == ("Råd", 'En to "sitat"', 0)
    assert (first.problems, first.attributes) == (("støy",), {"by": "Tromsø"})
    assert (second.name, second.price) == ("Ærlig", "Pris ikke oppgitt")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('9,"Uten slutt,,,,,', "linjen er ikke gyldig CSV"),
        ("9,For,mange,celler,,,,her", "linjen har 8 celler"),
        ("9,For få", "linjen har 2 celler"),
        ("," * 6 + "x", "id («id») mangler"),
        ('9,"a"b,,,,,', "linjen er ikke gyldig CSV"),
        ("9," + "x" * LARGEST_ITEM + ",,,,,", "linjen har mer enn"),
    ],
)
def test_a_bad_row_costs_no_other_row(row: str, reason: str) -> None:
    table = csv_lines("1,Tilbud 1,,,,,", row, '2,"Tilbud 2",,,,,', "3,Tilbud 3,,,,,")
    products, reports = read(table, "items.csv")
    assert [product.name for product in products] == ["Tilbud 1", "Tilbud 2", "Tilbud 3"]
    assert len(reports) == 1
    assert reports[0].startswith(f"3: {reason}")


def test_a_quote_that_is_not_closed_until_the_end_costs_one_row() -> None:
    products, reports = read(csv_lines('1,"Uten slutt,,,,,', *(f"{n},Tilbud {n},,,,," for n in range(2, 500))), "a.csv")
    assert len(products) == 498
    assert reports == ["2: et anførselstegn åpner en celle som ikke lukkes"]


def test_one_row_in_other_bytes_leaves_the_letters_of_the_others() -> None:
    table = csv_lines("1,Råd,,,,,", "2,Ærlig,,,,,").encode() + "3,Blå,,,,,\r\n".encode("cp1252")
    products, reports = read(table, "items.csv")
    assert [product.name for product in products] == ["Råd", "Ærlig"]
    assert reports == ["4: linjen er ikke i UTF-8 (byte 5)"]


def test_columns_are_found_by_the_names_in_the_file_and_a_missing_one_is_named() -> None:
    more = '[fields]\nid = "Nr"\nname = "Navn"\nproblems = "Hjelper mot"\n'
    [product], _ = read('sep=;\nnr;NAVN;hjelper mot\n7;"A; B";x | y, z\n', "items.csv", more)
    assert (product.product_id, product.name, product.problems) == ("7", "A; B", ("x", "y, z"))
    with pytest.raises(SourceUnreadable, match="«Hjelper mot»; mente du «Hjelper imot»") as caught:
        read("nr;navn;Hjelper imot\n7;A;x\n", "items.csv", more)
    assert "Kolonnene er: nr, navn, Hjelper imot" in str(caught.value)
    with pytest.raises(SourceUnreadable, match="To kolonner heter Navn"):
        read("nr;navn;Navn;Hjelper mot\n", "items.csv", more)
    with pytest.raises(SourceUnreadable, match="ingen linje med navn"):
        read("", "items.csv")
    [same], _ = read("navn;pris\nMegling;Gratis\n", "a.csv", '[fields]\nid = "navn"\nname = "navn"\nprice = "pris"\n')
    assert (same.product_id, same.name, same.amount) == ("Megling", "Megling", 0)


FEED: dict[str, Any] = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "Organization", "name": "Ingen tjeneste"},
        {
            "@type": "Product",
            "sku": "p1",
            "name": "Herstelcoaching",
            "description": "<p>Zes maanden.</p>",
            "url": "https://example.org/p1",
            "offers": {"@type": "Offer", "price": "2500.00", "priceCurrency": "EUR"},
            "additionalProperty": [{"@type": "PropertyValue", "name": "duur", "value": "6 maanden"}],
            "brand": {"@type": "Brand", "name": "EVI"},
        },
        {
            "@type": ["Thing", "https://schema.org/Service"],
            "@id": "https://example.org/s1",
            "name": [{"@value": "Mediation", "@language": "en"}, {"@value": "Megling", "@language": "nb"}],
            "serviceType": "Konflikt",
            "offers": [{"@type": "AggregateOffer", "lowPrice": 300, "priceCurrency": "NOK"}],
        },
        {
            "@type": "ItemList",
            "itemListElement": [
                {"@type": "ListItem", "item": {"@type": "Product", "identifier": 7, "name": "Kurs"}},
                {"@type": "Product", "productID": "p8", "name": "Gratis råd", "offers": {"price": 0}},
                "https://example.org/bare-en-lenke",
                {"@type": "Product", "name": ["a", "b"], "sku": "p9"},
            ],
        },
    ],
}


@pytest.mark.parametrize("name", ["feed.json", "feed.jsonld", "feed"])
def test_a_feed_of_schema_org_is_read_with_its_offers(name: str) -> None:
    products, reports = read(json.dumps(FEED, indent=1), name)
    assert [(product.product_id, product.name, product.price, product.amount) for product in products] == [
        ("p1", "Herstelcoaching", "2 500 €", 2500.0),
        ("https://example.org/s1", "Megling", "300 kr", 300.0),
        ("7", "Kurs", "Pris ikke oppgitt", None),
        ("p8", "Gratis råd", "0", 0.0),
    ]
    assert (products[0].description, products[0].url) == ("Zes maanden.", "https://example.org/p1")
    assert products[0].attributes["duur"] == "6 maanden"
    assert products[0].attributes["brand"] == "EVI"
    assert products[1].category == "Konflikt"
    assert [report.partition(": ")[0] for report in reports] == ["5", "6"]


@pytest.mark.parametrize(
    "bad",
    [
        '{"@type": "Product", "@id": "9", "name": "x", "price": 1' + "0" * 400 + "}",
        '{"@type": "Product", "@id": "9", "name": "x", "price": 1' + "0" * 5_000 + "}",
        '{"@type": "Product", "@id": NaN, "name": "x"}',
        '{"@type": "Product", "@id": "9", "name": "x", "about": ' + "[" * 900 + "]" * 900 + "}",
        '{"@type": "Product", "@id": ' + "[" * 900 + "]" * 900 + "}",
        "[" * 900 + "]" * 900,
        '{"@graph": ' * 400 + "[]" + "}" * 400,
    ],
    ids=["large price", "endless price", "id", "levels of a property", "levels of an id", "levels of lists", "graphs"],
)
def test_a_hostile_item_of_a_feed_is_reported_and_the_others_are_read(bad: str) -> None:
    good = [json.dumps({"@type": "Product", "@id": str(number), "name": f"Tilbud {number}"}) for number in (1, 2)]
    products, reports = read(f"[{good[0]}, {bad}, {good[1]}]", "items.jsonld")
    assert [product.name for product in products] == ["Tilbud 1", "Tilbud 2"]
    [report] = reports
    assert report.startswith("2: ")


def test_a_number_that_is_an_id_keeps_its_digits() -> None:
    products, reports = read(lines('{"id": 1000001.0, "name": "a"}', '{"id": 1000002.0, "name": "b"}'))
    assert ([product.product_id for product in products], reports) == (["1000001", "1000002"], [])


def test_a_feed_that_is_none_fails_as_a_whole() -> None:
    with pytest.raises(SourceUnreadable, match="ingen Product eller Service"):
        read('{"@type": "WebPage"}', "feed.json")
    with pytest.raises(SourceUnreadable, match="ikke gyldig JSON"):
        read("<html>", "feed.json")
    with pytest.raises(SourceUnreadable, match="for mange nivåer"):
        read("[" * 100_000, "feed.json")


@pytest.mark.parametrize(
    ("content", "name"), [(lines(item(1), item(2)), ""), (csv_lines("1,Tilbud 1,,,,,", "2,Tilbud 2,,,,,"), "export")]
)
def test_without_an_ending_the_contents_tell_the_format(content: str, name: str) -> None:
    products, _ = read(content, name)
    assert [product.product_id for product in products] == ["1", "2"]


def test_items_come_in_batches_and_there_is_an_end_to_them() -> None:
    file = io.BytesIO(lines(*(item(n) for n in range(BATCH + 5))).encode())
    read = list(batches(file, "items.jsonl", definition()))
    assert [len(batch.products) for batch in read] == [BATCH, 5]
    assert read[-1].offset == len(file.getvalue())
    file.seek(0)
    with pytest.raises(SourceUnreadable, match="mer enn 10 linjer"):
        list(batches(file, "items.jsonl", definition(), ItemLimits(items=10)))


def test_of_an_item_that_became_bad_the_id_is_known() -> None:
    [batch] = batches(io.BytesIO(lines(item(1), item(2, name=""), "{").encode()), "items.jsonl", definition())
    assert batch.kept == ["2"]
