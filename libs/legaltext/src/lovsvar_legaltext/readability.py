"""How hard a text is to read, by LIX (Björnsson 1968): words a sentence, and the percentage of words above six letters.

Below 30 is very easy, 30 to 40 easy, 40 to 50 middling, above 50 hard; statutes lie about 55.
"""

import re

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_END = re.compile(r"[.:!?](?=\s|$)")
LONG = 6


def lix(text: str) -> float:
    """Return the LIX of `text`; 0.0 for a text without words."""
    found = _WORD.findall(text)
    if not found:
        return 0.0
    sentences = max(1, len(_END.findall(text)))
    return len(found) / sentences + 100 * sum(len(word) > LONG for word in found) / len(found)
