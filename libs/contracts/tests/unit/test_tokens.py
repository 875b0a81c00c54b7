"""The estimate of tokens, against the published tokenizer that it is fitted to."""

from lovsvar_contracts.tokens import estimate_tokens
from lovsvar_testkit.tokens import published_tokenizer

SAMPLES = (
    "Det kan avtales at leieren til sikkerhet for skyldig leie, skader på husrommet, utgifter ved fraviking og for "
    "andre krav som reiser seg av leieavtalen, skal deponere et beløp oppad begrenset til summen av seks måneders "
    "leie.",
    "Arbeidsgiver skal sørge for at arbeidstakerne gjøres kjent med ulykkes- og helsefarer som kan være forbundet "
    "med arbeidet, og at de får den opplæring, øvelse og instruksjon som er nødvendig.\na. fare for liv eller helse\n"
    "b. fare for klima eller miljø\nc. korrupsjon eller annen økonomisk kriminalitet",
    "(1) Oppdragsgiveren kan tidligst inngå en kontrakt etter utløpet av en karensperiode, jf. § 13-3 og § 13-4. "
    "(2) Karensperioden skal være minst 10 dager regnet fra dagen etter at meddelelsen er sendt, jf. lov "
    "17. juni 2016 nr. 73.",
    "Barnet har krav på omsut og omtanke frå dei som har foreldreansvaret. Dei har rett og plikt til å ta avgjerder "
    "for barnet i personlege tilhøve innanfor dei grensene som §§ 31 til 33 set.",
)


def test_law_text_is_estimated_within_fifteen_percent_of_a_published_tokenizer() -> None:
    tokenizer = published_tokenizer()
    for text in SAMPLES:
        counted = len(tokenizer.encode(text))
        assert abs(estimate_tokens(text) - counted) <= 0.15 * counted, text


def test_nothing_costs_nothing_and_something_costs_something() -> None:
    assert estimate_tokens("") == estimate_tokens(" \n ") == 0
    assert estimate_tokens("§") >= 1
    assert estimate_tokens("a" * 100_000) > 10_000
