"""The file of a catalogue, and what is said of the errors in one."""

import pytest

from lovsvar_ingest.core.catalogues.definition import NO_PRICE, CatalogueDefinition, read_definition
from lovsvar_ingest.core.errors import CatalogueBroken

SHORTEST = """
id = "hjelp"
name = "Hjelpetilbud"
language = "nb"
items = "items.csv"
link_hosts = ["example.org"]
"""

WHOLE = """
id = "arbeidshulp"
name = "Arbeidshulp"
language = "nl"
items = "https://example.org/feed.json"
invented = true
link_hosts = ["Example.ORG", "blåkors.no"]
no_price = "Prijs op aanvraag"
offer = "Als iemand hulp zoekt bij verzuim."
offer_words = ["verzuim", "burn-out"]
recommend = 2

[fields]
id = "nummer"
name = "naam"
problems = "klachten"
attributes = ["kenmerken"]

[weights]
meaning = 0.55
words = 0.45
"""


def read(toml: str) -> CatalogueDefinition:
    return read_definition(toml.encode(), "catalogue.toml")


def test_what_a_file_leaves_out_has_a_default() -> None:
    found = read(SHORTEST)
    assert (found.weights.meaning, found.weights.words, found.recommend, found.invented) == (0.7, 0.3, 3, False)
    assert found.without_price == NO_PRICE["nb"]
    assert (found.fields.id, found.fields.problems, found.fields.attributes) == ("id", "problems", ("attributes",))
    assert found.fields.written == ("id", "name")


def test_a_whole_file_is_read_and_stored_without_where_its_items_are() -> None:
    found = read(WHOLE)
    assert (found.id, found.language, found.invented, found.recommend) == ("arbeidshulp", "nl", True, 2)
    assert found.fields.single[:3] == ("nummer", "naam", "description")
    assert found.fields.written == ("nummer", "naam", "kenmerken", "klachten")
    stored = found.stored()
    expected = {
        "invented": True,
        "link_hosts": ["example.org", "xn--blkors-jua.no"],
        "no_price": "Prijs op aanvraag",
        "offer": "Als iemand hulp zoekt bij verzuim.",
        "offer_words": ["verzuim", "burn-out"],
        "recommend": 2,
        "weights": {"meaning": 0.55, "words": 0.45},
    }
    assert {key: stored[key] for key in expected} == expected
    assert not stored.keys() & {"items", "fields", "id"}


def test_the_same_file_reads_alike_and_another_does_not() -> None:
    assert read(WHOLE).reading == read(WHOLE + "\n# en kommentar\n").reading
    assert read(WHOLE).reading != read(WHOLE.replace("naam", "titel")).reading


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("language", "langauge"), "ukjent nøkkel «langauge»; mente du «language»?"),
        (("language", "langauge"), "nøkkelen «language» mangler"),
        (('"nb"', '"no"'), "«language» må være en av nb, nn, en, nl, de, fr, sv, da"),
        (('"hjelp"', '"Hjelp!"'), "2–40 små bokstaver a–z"),
        (('["example.org"]', '["https://example.org/"]'), "er ikke et vertsnavn; skriv bare navnet"),
        (('["example.org"]', '["no"]'), "er ikke et vertsnavn"),
        (('["example.org"]', '"example.org"'), "må være en liste"),
        (("link_hosts", "recommend = 9\nlink_hosts"), "«recommend» må være høyst 5"),
        (("link_hosts", "recommend = 0\nlink_hosts"), "«recommend» må være minst 1"),
        (("link_hosts", 'invented = "ja"\nlink_hosts'), "«invented» må være true eller false"),
        (("link_hosts", "offer = 3\nlink_hosts"), "«offer» må være en tekst i anførselstegn"),
        (('org"]', 'org"]\n[weights]\nmeaning = 0.7\nwords = 0.7'), "må til sammen være 1"),
        (('org"]', 'org"]\n[weights]\nmeaning = "mye"'), "«weights.meaning» må være et tall"),
        (('org"]', 'org"]\n[fields]\nnme = "navn"'), "ukjent nøkkel «fields.nme»; mente du «name»?"),
        (('org"]', 'org"]\n[felter]\nname = "navn"'), "ukjent nøkkel «felter»"),
        (('"hjelp"', "hjelp"), "er ikke gyldig TOML"),
    ],
)
def test_an_error_says_what_to_do(change: tuple[str, str], words: str) -> None:
    with pytest.raises(CatalogueBroken) as caught:
        read(SHORTEST.replace(*change))
    assert words in str(caught.value)
    assert "catalogue.toml" in str(caught.value)


def test_all_errors_are_said_at_once_and_bytes_that_are_no_text_too() -> None:
    with pytest.raises(CatalogueBroken) as caught:
        read('idd = "x"\nrecommend = 9')
    assert str(caught.value).count("mangler") == 5
    assert "«idd»; mente du «id»?" in str(caught.value)
    with pytest.raises(CatalogueBroken, match="ikke i UTF-8"):
        read_definition(SHORTEST.replace("Hjelpetilbud", "Hjelp på stedet").encode("cp1252"), "x")
    assert read_definition(b"\xef\xbb\xbf" + SHORTEST.encode(), "x").id == "hjelp"
