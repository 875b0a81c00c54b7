"""Files of items, mutated at random: a file is read, or refused as a whole with a reason, and nothing else happens."""

import io
import json
import random
import unicodedata
from urllib.parse import urlsplit

import pytest

from lovsvar_ingest.core.catalogues.definition import read_definition
from lovsvar_ingest.core.catalogues.reading import batches
from lovsvar_ingest.core.errors import CatalogueBroken, SourceUnreadable

TOML = b"""
id = "test"
name = "Test"
language = "nl"
items = "items"
link_hosts = ["example.org"]
[fields]
problems = "klachten"
[weights]
meaning = 0.6
words = 0.4
"""

ITEM = {
    "id": "1",
    "name": "R\u00e5d & <b>d\u00e5d</b>",
    "price": "Vanaf € 2.500",
    "url": "https://www.example.org/a?b=c#d",
    "klachten": ["stress", "burn-out"],
    "attributes": {"duur": "6 maanden"},
}

SEEDS = {
    "a.jsonl": "\n".join([json.dumps(ITEM), json.dumps(ITEM, ensure_ascii=False)] * 3).encode(),
    "a.csv": 'id;name;price;url;klachten\r\n1;"R\u00e5d\n""ja""";€ 5;https://example.org/;a|b\r\n2;B;;;\r\n'.encode(),
    "a.json": json.dumps(
        {"@graph": [{"@type": "Product", "offers": {"price": "5", "priceCurrency": "EUR"}, **ITEM}] * 3}
    ).encode(),
}

PIECES = (
    *(b'"', b"'", b"\n", b"\r", b";", b",", b"{", b"}", b"[", b"]", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\\ud800"),
    *(b"null", b"NaN", b"1e999", b"-1", b"true", b"{}", b"<script>", b"&lt;", b"](", b"://", b"@", b"\xe2\x80\xae"),
    *(b"[" * 3_000, b"9" * 5_000, b'"@type"', b'"@value"', b"javascript:"),
)


def mutated(content: bytes, draw: random.Random) -> bytes:
    """Return `content` with some bytes removed, repeated or put in."""
    changed = bytearray(content)
    for _ in range(draw.randint(1, 6)):
        place = draw.randrange(len(changed) + 1)
        match draw.randrange(3):
            case 0:
                del changed[place : place + draw.randint(1, 30)]
            case 1:
                changed[place:place] = changed[place : place + draw.randint(1, 60)]
            case _:
                changed[place:place] = draw.choice(PIECES)
    return bytes(changed)


@pytest.mark.parametrize("name", SEEDS)
def test_a_mutated_file_is_read_or_refused(name: str) -> None:
    definition, draw = read_definition(TOML, "x"), random.Random(22)
    refused = 0
    for _ in range(1_500):
        content = mutated(SEEDS[name], draw)
        try:
            read = list(batches(io.BytesIO(content), draw.choice((name, "")), definition))
        except SourceUnreadable:
            refused += 1
            continue
        for product in (product for batch in read for product in batch.products):
            texts = [product.product_id, product.name, product.description, product.price, *product.problems]
            assert product.name
            assert not [c for text in texts for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs"}]
            link = urlsplit(product.url)
            assert product.url == "" or (link.scheme, link.port, link.username) == ("https", None, None)
            assert product.url == "" or f".{link.hostname}".endswith(".example.org")
            assert product.amount is None or 0 <= product.amount < 1e12
            json.dumps(product.attributes, ensure_ascii=False).encode()
            assert "\x00" not in json.dumps(product.attributes, ensure_ascii=False)
    assert refused < 1_500


def test_a_mutated_definition_is_read_or_explained() -> None:
    draw = random.Random(22)
    for _ in range(1_500):
        try:
            read_definition(mutated(TOML, draw), "x")
        except CatalogueBroken as exc:
            assert str(exc).startswith("x")
