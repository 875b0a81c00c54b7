"""What stays of a model's prose about products."""

import pytest

from lovsvar_agent.core.products.mentions import ids_in, without_products
from lovsvar_agent.core.products.sales_talk import SalesTalk

TALK = SalesTalk(
    known="Båteieren kan kreve et gebyr på 500 kroner. Klagen går til forliksrådet og Husleietvistutvalget. Jussbuss",
    removed="(lenke fjernet)",
    unwanted={"Herstelcoaching", "Forliksrådet Vest"},
    told={"Superhjelp"},
)


def test_ids_are_read_in_order_and_once() -> None:
    assert ids_in("[product-2] og (product-1, product-2), ikke [lovdata-3]") == ("product-2", "product-1")


@pytest.mark.parametrize(
    ("prose", "stays"),
    [
        ("Høyst fire uker [lovdata-1].\n\n[product-1] [product-2]", "Høyst fire uker [lovdata-1]."),
        ("Høyst fire uker [lovdata-1] [product-1].", "Høyst fire uker [lovdata-1]."),
        ("Høyst fire uker [lovdata-1]. Prøv Herstelcoaching.", "Høyst fire uker [lovdata-1]."),
        ("Høyst fire uker. Prøv HERSTELCOACHING [lovdata-1].", "Høyst fire uker."),
        ("Klag til Husleietvistutvalget.", "Klag til Husleietvistutvalget."),
        ("Gebyret koster 500 kroner [lovdata-1].", "Gebyret koster 500 kroner [lovdata-1]."),
        ("Rett svar.\n\nVi tilbyr hjelp for 499 kr.", "Rett svar."),
        ("Rett svar.\n\nSuperhjelp (€ 10)\nDet beste som finnes.\n🔗 (lenke fjernet)", "Rett svar."),
        ("Rett svar.\n\n# Tilbud\n\n- Herstelcoaching: bra\n- Superhjelp [product-9]", "Rett svar."),
        ("Rett svar.\n\nDisse kan hjelpe:\n\n- [product-1]\n- [product-2]", "Rett svar."),
        ("Rett svar. Disse kan hjelpe:\n- [product-1]", "Rett svar."),
        ("# Pant\n\nHøyst fire uker.", "# Pant\n\nHøyst fire uker."),
        ("- Ett krav: pant\n- To krav: gebyr", "- Ett krav: pant\n- To krav: gebyr"),
        ("Fristen er 10 dager.", "Fristen er 10 dager."),
        ("Fristen er 10 dager. Les mer på (lenke fjernet).", "Fristen er 10 dager."),
        ("Rett svar. Jeg anbefaler Superhjelp AS.", "Rett svar."),
        ("Rett svar. Kontakt Superhjelp AS [lovdata-1].", "Rett svar."),
        ("Rett svar.\n\nSuperhjelp (Prijs op aanvraag)\nDe beste hulp.", "Rett svar."),
        ("Jeg anbefaler å klage skriftlig.", "Jeg anbefaler å klage skriftlig."),
        ("Snakk med Jussbuss, eller kontakt Husleietvistutvalget.",) * 2,
        ("Saken går til forliksrådet [lovdata-1].",) * 2,
        ("Saken går til Forliksrådet Vest [lovdata-1].", ""),
        ("Kontakt Statsforvalteren [lovdata-1].",) * 2,
        ("Rett svar. Kontakt Statsforvalteren.", "Rett svar."),
        ("The landlord may call on Norwegian courts under the Tenancy Act [lovdata-1].",) * 2,
        ("The court may order payment to the Tenant [lovdata-1].",) * 2,
        ("Krav:\n- Oppsigelse (skriftlig)\n- Depositum (§ 3-5)",) * 2,
        ("Båteieren (den som eier båten)\nkan kreve pant [lovdata-1].",) * 2,
    ],
)
def test_sentences_that_offer_something_go(prose: str, stays: str) -> None:
    assert without_products(prose, TALK) == stays
