"""Numbers of provisions and documents are kept in one line; text is printed as it should read."""

import pytest
from markupsafe import Markup

from lovsvar_gateway.core.typography import as_printed, keep_whole, printed


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


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("§ 8 og § 9 , når", "§ 8 og § 9, når"),
        ("jf. § 28 . Den", "jf. § 28. Den"),
        ("minst 0,3 m 2 ved bruk", "minst 0,3 m² ved bruk"),
        ("7 dyr pr. m 2 , og", "7 dyr pr. m², og"),
        ("200 m2 bolig og 5 m3 vann", "200 m² bolig og 5 m³ vann"),
        ("CO 2 -utslipp", "CO₂-utslipp"),
        ("gruppe m 2 og vedlegg 2", "gruppe m 2 og vedlegg 2"),
        ("fra . . . til – ja", "fra . . . til – ja"),
    ],
)
def test_text_is_printed_without_the_spaces_and_plain_figures_of_the_data(text: str, printed: str) -> None:
    shown = as_printed(text)
    assert len(shown) == len(text), "offsets of quotes and links still hold"
    assert "".join(shown) == printed


def test_a_note_is_printed_without_the_spaces_that_follow_its_links() -> None:
    note = "Endret ved lover 8 mai 2009 nr. 27 , 20 juni 2024 nr. 52 (i kraft 1 juli 2024 iflg. res. nr. 1 )."
    shown = "Endret ved lover 8 mai 2009 nr. 27, 20 juni 2024 nr. 52 (i kraft 1 juli 2024 iflg. res. nr. 1)."
    assert printed(note) == shown
