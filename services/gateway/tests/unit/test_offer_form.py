"""The form of the page of offers."""

import pytest

from lovsvar_gateway.core.offer_form import offer_link, read_offers


def test_what_was_given_makes_the_request() -> None:
    form = read_offers({"q": " burn-out\0 ", "catalogue": "arbeidshulp", "min_price": "10,5", "category": "Coaching"})
    assert not form.refused
    request = form.request(among="arbeidshulp")
    assert (request.query, request.catalogues, request.category) == ("burn-out", ("arbeidshulp",), "Coaching")
    assert (request.min_price, request.max_price, request.limit) == (10.5, None, 10)


def test_a_category_is_one_of_a_catalogue_and_what_is_no_price_does_not_narrow() -> None:
    form = read_offers({"q": "x", "category": "Coaching", "min_price": "mye", "max_price": "-1"})
    assert form.refused == ("min_price", "max_price")
    request = form.request(among=None)
    assert (request.catalogues, request.category, request.min_price, request.max_price) == ((), None, None, None)


@pytest.mark.parametrize("name", ["A", "../x", "x" * 41, "<b>"])
def test_what_is_no_id_of_a_catalogue_is_left_out(name: str) -> None:
    assert read_offers({"q": "x", "catalogue": name}).catalogue == ""


@pytest.mark.parametrize(
    "url",
    ["javascript:x", "http://x.no", "https://a@x.no", "https://x.no/<b>", "https://x.no/ y", "https://", "//x.no"],
)
def test_only_https_without_a_login_is_a_link(url: str) -> None:
    assert offer_link(url) == ""
    assert offer_link("https://www.htu.no/a?b=c") == "https://www.htu.no/a?b=c"
