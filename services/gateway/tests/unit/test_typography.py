"""Numbers of provisions and documents are kept in one line, in text and in HTML."""

import pytest
from markupsafe import Markup

from lovsvar_gateway.core.typography import keep_whole


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Arbeidsmiljøloven § 15-7 (Vern)", "§ 15-7"),
        ("§ 2-1. Virkeområde", "§ 2-1"),
        ("Straffeloven § 13 a er", "§ 13 a"),
        ("etter §§ 3-5 til", "§§ 3-5"),
        ("§ 5 om leie", "§ 5"),
        ("aml, lov/2005-06-17-62/§15-7", "lov/2005-06-17-62/§15-7"),
    ],
)
def test_a_number_is_kept_in_one_line(text: str, kept: str) -> None:
    assert f'<span class="whole">{kept}</span>' in keep_whole(text)


def test_text_is_escaped_and_the_inside_of_tags_left_alone() -> None:
    assert keep_whole("<b> § 1") == '&lt;b&gt; <span class="whole">§ 1</span>'
    html = Markup('<a href="/lov/2999-01-01-1#§3-5" title="§ 3-5">der</a>')
    assert keep_whole(html) == html
