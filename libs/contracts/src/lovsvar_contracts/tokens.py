"""The estimate in every field `tokens`: about how many language-model tokens a text has.

An estimate needs no tokenizer of 75 MB. Its weights are fitted by least squares to the counts of OpenAI's published
tokenizer `o200k_base` over Norway's acts and regulations; a test measures that 98 of 100 provisions are within 15 %.
"""

import math
import re
from functools import lru_cache

_PIECE = re.compile(r"[^\W\d_]+|\d+|\n|[^\w\s]|_")

_BY_LETTERS = (
    *(0.0, 0.88, 0.54, 1.0, 1.31, 1.43, 2.03, 2.16, 2.08, 2.19, 2.43, 2.71, 3.03, 3.15, 4.11, 4.63, 5.06, 5.2, 5.4),
)
"""Tokens of a word by its number of letters."""

_LETTER = 0.3
"""Tokens of each further letter."""

_SIGN = 0.88
_BREAK = 1.11
_THREE_DIGITS = 1.74


def estimate_tokens(text: str) -> int:
    """Return about how many language-model tokens `text` has, at least 1 unless it is blank."""
    return math.ceil(sum(map(_cost, _PIECE.findall(text)))) if text.strip() else 0


@lru_cache(1 << 15)
def _cost(piece: str) -> float:
    length = len(piece)
    if piece.isalpha():
        known = len(_BY_LETTERS) - 1
        return _BY_LETTERS[length] if length <= known else _BY_LETTERS[known] + _LETTER * (length - known)
    if piece.isdigit():
        return _THREE_DIGITS * -(-length // 3)
    return _BREAK if piece == "\n" else _SIGN
