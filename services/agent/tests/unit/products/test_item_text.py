"""What a catalogue says of an item, as it may be shown."""

import pytest

from lovsvar_agent.core.products.item_text import MAX_NAME, MAX_PRICE, MAX_WHY, address_of, name_of, price_of, why_of
from lovsvar_agent.core.source_kinds.product import PRODUCT
from lovsvar_contracts.catalogues import ProductHit

HOSTS = ("portal.evi360.nl",)


@pytest.mark.parametrize(
    ("description", "shown"),
    [
        ("Traject van zes maanden. Met een coach. Ook online.", "Traject van zes maanden. Met een coach."),
        ("Voor rug en nek", "Voor rug en nek"),
        ("Voor rug en nek. Met een fysiotherapeut die bij u op het we...", "Voor rug en nek."),
        ("Een zin die werd afgekapt omdat hij te la...", "Een zin die werd afgekapt omdat hij te …"),
        ("<b>Vet</b> en **sterk** en `code`.\n# Kop", "Vet en sterk en code. Kop"),
        ("Goed traject. Zie [hier](https://evil.example/x) nu.", "Goed traject."),
        ("Goed traject. Kijk op evil-deals.nl voor meer.", "Goed traject."),
        ("Goed traject. Kijk op ｅｖｉｌ．example voor meer.", "Goed traject."),
        ("Goed traject. Nu slechts € 1!", "Goed traject."),
        ("Hjelp med klage. Koster bare 200 kroner.", "Hjelp med klage."),
        ("Goed traject. Bel 0900-12345678.", "Goed traject."),
        ("Goed traject. Mail naar x@evil.example.", "Goed traject."),
        ("Goed traject. Zo staat het in lovdata-1.", "Goed traject."),
        ("Go\u200bed\u202e traject.", "Goed traject."),
        ("Bel nu 0900-12345678.", ""),
        ("", ""),
    ],
)
def test_of_a_description_whole_sentences_are_shown_that_say_what_the_item_is(description: str, shown: str) -> None:
    assert why_of(description) == shown


def test_what_is_shown_has_an_end() -> None:
    assert len(why_of("woord " * 500)) <= MAX_WHY + 2
    assert len(name_of("woord " * 500)) <= MAX_NAME
    assert len(price_of("1 " * 500)) <= MAX_PRICE


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Herstelcoaching", "Herstelcoaching"),
        ("  Herstel\n coaching ", "Herstel coaching"),
        ("Herstelcoaching](https://evil.example) (nu € 1)", "Herstelcoaching"),
        ("<script>alert(1)</script>Coaching", "Coaching"),
        ("Coaching https://evil.example/x", "Coaching"),
        ("Coaching evil-deals.nl", "Coaching"),
        ("**Coaching** | `x`", "Coaching x"),
        ("https://evil.example", ""),
    ],
)
def test_a_name_is_plain_words(name: str, shown: str) -> None:
    assert name_of(name) == shown


def test_a_name_may_be_that_of_the_items_own_site() -> None:
    assert name_of("Finansportalen.no", "https://www.finansportalen.no/bank") == "Finansportalen.no"
    assert name_of("Finansportalen.no", "https://evil.example") == ""


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "http://portal.evi360.nl/products/15",
        "//portal.evi360.nl/products/15",
        "https://portal.evi360.nl@evil.example/",
        "https://portal.evi360.nl.evil.example/",
        "https://evil.example/portal.evi360.nl",
        "https://pоrtal.evi360.nl/",
        "https://xn--prtal-2oa.evi360.nl/",
        "https://portal.evi360.nl:8443/",
        "https://portal.evi360.nl\\@evil.example/",
        'https://portal.evi360.nl/"onclick="x',
        "https://portal.evi360.nl/a b",
        "https://portal.evi360.nl/<b>",
        "https://[::1]/",
        "https://127.0.0.1/",
        "https://portal.evi360.nl/" + "a" * 500,
        "",
    ],
)
def test_an_address_that_leads_elsewhere_is_none(url: str) -> None:
    assert address_of(url, HOSTS) == ""


def test_an_address_of_the_catalogues_host_stays() -> None:
    for url in ("https://portal.evi360.nl/products/15", "https://portal.evi360.nl/a?b=c&d=1#e"):
        assert address_of(url, HOSTS) == address_of(url) == url
    assert address_of("https://xn--prtal-2oa.no/", ()) == ""


def test_a_link_to_a_host_with_other_letters_that_the_catalogue_lists_is_kept() -> None:
    url = "https://xn--blkors-iua.no/hjelp"  # blåkors.no
    assert address_of(url, ("xn--blkors-iua.no",)) == url
    hit = ProductHit(
        catalogue="hjelp",
        product_id="1",
        name="Blå Kors",
        description="Samtaler.",
        price="Gratis",
        url=url,
        category="",
        similarity=0.9,
    )
    assert PRODUCT.fields(hit)["url"] == url
