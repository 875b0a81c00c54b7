"""The provision about deposits that the cases of tests rest on: Norway's, or the sample's."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DepositLaw:
    """A provision, the data set it is in, and a quote of it. `source` is a folder of archives, "" for the sample."""

    dataset: str
    refid: str
    section: str
    quote: str
    source: str = ""


def deposit_law(source: str) -> DepositLaw:
    """Return the provision in the archives of the folder `source`, that of the sample for ""."""
    if not source:
        quote = "Utleieren kan kreve et depositum på høyst fire måneders leie."
        return DepositLaw("eksempel", "lov/2999-01-01-1", "§ 3-2", quote)
    quote = "Det deponerte beløp skal settes på særskilt konto i leierens navn med vanlige rentevilkår"
    return DepositLaw("gjeldende-lover", "lov/1999-03-26-17", "§ 3-5", quote, source)
