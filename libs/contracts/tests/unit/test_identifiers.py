"""Names of documents and provisions, and addresses made from them."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_contracts.identifiers import is_announcement, lovdata_url, section_key, viewer_path


@pytest.mark.parametrize(
    ("written", "stored"),
    [("§ 3-5", "§3-5"), ("§ 2A-1", "§2a-1"), ("§\u00a03-5", "§3-5"), ("GDPR/a5", "gdpr/a5"), (" §3-5\n", "§3-5")],
)
def test_sections_are_compared_without_white_space_and_case(written: str, stored: str) -> None:
    assert section_key(written) == section_key(stored) == stored


def test_different_sections_stay_different() -> None:
    assert len({section_key(s) for s in ("§3-5", "§3-5a", "§35", "§3-50", "3-5")}) == 5


@given(st.text())
def test_a_key_is_its_own_key(section: str) -> None:
    assert section_key(section_key(section)) == section_key(section)


def test_the_viewer_scrolls_to_a_provision() -> None:
    assert viewer_path("lov/1999-03-26-17", "§3-5") == "/lov/1999-03-26-17#§3-5"
    assert viewer_path("lov/1999-03-26-17") == "/lov/1999-03-26-17"


def test_an_address_at_lovdata_is_percent_encoded() -> None:
    assert lovdata_url("lov/1999-03-26-17", "§3-5") == "https://lovdata.no/lov/1999-03-26-17/%C2%A73-5"
    assert lovdata_url("lov/1999-03-26-17") == "https://lovdata.no/lov/1999-03-26-17"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
def test_no_section_name_leads_away_from_lovdata(section: str) -> None:
    parts = urlsplit(lovdata_url("lov/1999-03-26-17", section))
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("https", "lovdata.no", "", "")
    assert unquote(parts.path) == f"/lov/1999-03-26-17/{section}"


def test_an_announcement_is_told_from_what_it_announces() -> None:
    assert is_announcement("lti/lov/2025-06-20-1")
    assert not is_announcement("lov/2025-06-20-1")
    assert lovdata_url("lti/lov/2025-06-20-1") == "https://lovdata.no/dokument/LTI/lov/2025-06-20-1"
