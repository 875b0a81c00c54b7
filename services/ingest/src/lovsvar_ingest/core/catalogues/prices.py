"""Prices in the words of a catalogue, and the amount in them."""

import re

_NUMBER = r"\d{1,3}(?:(?:[ .,'’\u00a0\u202f]\d{3})+(?!\d))(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d{1,2}(?!\d))?"
_CURRENCY = r"(?:kr\.?|kroner|nok|sek|dkk|eur|euro|usd|gbp|chf|[€$£])"
_SPACE = "[ \\u00a0\\u202f]*"
_BEFORE = re.compile(rf"(?<![a-zæøåéèäöü]){_CURRENCY}{_SPACE}(?P<amount>{_NUMBER})", re.IGNORECASE)
_AFTER = re.compile(
    rf"(?<![\d.,])(?P<amount>{_NUMBER})(?:{_SPACE}(?:-|–|—|til|tot|bis|to|à){_SPACE}(?:{_NUMBER}))?"
    rf"{_SPACE}(?:,-|,–)?{_SPACE}{_CURRENCY}(?![a-zæøåéèäöü])",
    re.IGNORECASE,
)
_DASHED = re.compile(rf"(?<![\d.,])(?P<amount>{_NUMBER}){_SPACE},[-–—]")
_ALONE = re.compile(
    rf"(?:(?:fra|frå|från|vanaf|ab|from|dès|à partir de|ca\.?|om lag|circa|pris|prijs|preis|prix|price):?{_SPACE})?"
    rf"(?P<amount>{_NUMBER})(?:{_SPACE}per \w+)?",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b(?:gratis|gratisdienst|kostenlos\w*|kostenfrei\w*|kosteloos|kosteloze|unentgeltlich\w*|gebührenfrei|gratuit\w*|free|"
    r"kostnadsfri\w*|vederlagsfri\w*|uten kostnad|utan kostnad|uten betaling|uden beregning|sans frais|geen kosten)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:ikke|ikkje|inte|niet|nicht|not|pas|non)\s+\w*\s*\Z", re.IGNORECASE)

LARGEST = 1e12

SYMBOLS = {"NOK": "kr", "SEK": "kr", "DKK": "kr", "EUR": "€", "GBP": "£", "USD": "$"}
_SIGN_FIRST = {"nl": " ", "en": ""}
"""What stands between a currency's sign and the amount, in languages that have the sign first."""


def amount_of(words: str) -> float | None:
    """Return the amount in the words of a price, the lowest of a range; 0 for what is free; None where there is none.

    A point or comma before exactly three digits parts thousands, in any language.
    """
    words = words.strip()
    found = _BEFORE.search(words) or _AFTER.search(words) or _DASHED.search(words)
    if not found:
        free = _FREE.search(words)
        if free:
            return None if _NOT.search(words[: free.start()]) else 0.0
        found = _ALONE.fullmatch(words)
    if not found or words[: found.start()].rstrip().endswith(("-", "−")):
        return None
    amount = _number(found["amount"])
    return amount if amount < LARGEST else None


def _number(written: str) -> float:
    whole, fraction = written, ""
    if decimals := re.search(r"[.,](\d{1,2})\Z", written):
        whole, fraction = written[: decimals.start()], decimals[1]
    return float(f"{re.sub(r'[^0-9]', '', whole)[:20] or 0}.{fraction or 0}")


def price_in_words(amount: float, currency: str, language: str) -> str:
    """Return an amount as it is written in a language; `currency` is a code of ISO 4217, or empty."""
    mark, point = {"nl": (".", ","), "de": (".", ","), "da": (".", ","), "en": (",", ".")}.get(language, (" ", ","))
    text = f"{amount:,.2f}".removesuffix(".00").translate({ord(","): mark, ord("."): point})
    code = currency.strip().upper()
    sign = SYMBOLS.get(code, code)
    if not sign:
        return text
    if language in _SIGN_FIRST and code in {"EUR", "GBP", "USD"}:
        return f"{sign}{_SIGN_FIRST[language]}{text}"
    return f"{text} {sign}"
