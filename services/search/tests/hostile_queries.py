"""Queries that a search must survive: 500 and some, made from lists that can be read, none of them by chance.

`QUERIES` holds each once, in order. Some are longer than a request may be, or nothing but blanks, or hold what
no message can carry; those are refused at the door, and survived behind it all the same.
"""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise, permutations, product

WORDS = ("depositum", "oppsigelse", "arbeidsgiver", "§ 3-5", "husleieloven", "ikkje", "landlord")
"""What real queries hold, so that the hostile ones get past the first check."""

OPERATORS = (
    "AND", "OR", "NOT", "&&", "||", "!", "+", "-", "--", "−", "–", "—", "=", "==", "<", ">", "<=", "<>",
    "~", "^", "*", "?",
    "%", "_", "$", "#", "@", "\\", "/", "//", "|", ";", ":", "::", ",", ".", "..", "...", "'", "`", "´",
)  # fmt: skip

QUOTES = ('"', "'", "`", "“", "”", "„", "«", "»", "‟", "‘", "’", "‚", "‹", "›", "「", "」", "＂")

BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("⟨", "⟩"), ("（", "）"))

LUCENE = (
    "title:depositum", "title:*", "text:(depositum OR garanti)", "*:*", "*", "?", "dep*", "*situm",
    "d?positum", "depositum~",
    "depositum~2", "depositum~0.8", "depositum^4", "depositum^-1", "depositum^1e999", '"depositum leie"~3',
    "[a TO z]",
    "{a TO z}", "[* TO *]", "year:[1900 TO 2000}", "+depositum -leie", "+-depositum", "-+depositum",
    "!depositum", "NOT depositum",
    "NOT NOT depositum", "(depositum", "depositum)", "((depositum) AND (leie))", "()", "(())",
    "refid:IN [a b c]", "_exists_:title",
    "_all:depositum", "<depositum", ">=depositum", "depositum && leie || garanti", r"\"depositum\"",
    r"depositum\:leie", r"\u0041",
    "/dep.*/", "text:/[a-z]+/", "prior:>1", "number:0", "announcement:true", "act:18446744073709551616",
)  # fmt: skip

SQL = (
    "'; DROP TABLE documents; --", "' OR '1'='1", "' OR 1=1 --", '" OR ""="', "1; SELECT pg_sleep(10)",
    "') UNION SELECT NULL--",
    "$1", "$$depositum$$", ":dimensions", "%(name)s", "%s %d %n", "E'\\x00'", "NULL", "null",
    "COPY documents TO PROGRAM 'ls'",
    "\\'; --", "/* depositum */", "depositum -- leie", "0x27", "CHAR(39)", "websearch_to_tsquery('a & b')",
    "a & b | !c",
    "a <-> b", "a:*", "depositum::text::halfvec", "[1,2,3]", "'{1,2}'::int[]", "\\copy", "\\d",
    "SET ROLE postgres",
)  # fmt: skip

MARKUP = (
    "<script>alert(1)</script>", "<b>depositum</b>", "<!-- -->", "<![CDATA[x]]>", "&lt;depositum&gt;",
    "&#0;", "&#x110000;",
    "${jndi:ldap://x}", "{{7*7}}", "{% raw %}", "#{depositum}", "%00", "%2527", "%u0000", "..%2f..%2f",
    "../../etc/passwd",
    "file:///etc/passwd", "http://[::1]/", "javascript:0", '{"query": "x"}', '{"$gt": ""}', "[]", "{}",
    "\\u0000", "\\x00",
    "lovsvar.search.>", "lovsvar.*", "\r\nPUB x 1\r\n", "-ERR", "| cat", "`id`", "$(id)", "; ls", "&& ls",
    "> /dev/null",
)  # fmt: skip

REGEXES = (
    ".*", "(.*)*", "(a+)+$", "(a|a)*b", "([a-z]+)*!", "^(([a-z])+.)+[A-Z]([a-z])+$", "[", "]", "[^", "(?",
    "(?P<", "(?<!", "\\b",
    "\\", "\\1", "a{1,99999}", "{,}", "*+?", "(?:(?:(?:a)))", "[[:alpha:]]", "\\p{L}+", "\\Q\\E", "$^", "|",
    "||", "a||b",
)  # fmt: skip

NUMBERS = (
    "0", "-0", "-1", "1e309", "-1e309", "NaN", "Infinity", "0.1", "1/0", "9" * 20, "9" * 400,
    "-" + "9" * 400, "2147483648",
    "9223372036854775808", "18446744073709551616", "§ " + "9" * 30, "§ 99999999999999-1", "§ 0", "§ -1",
    "§ 1-" + "2-" * 300,
    "§" * 300, "§ § §", "§§ 1–9999999", "kapittel " + "9" * 50, "lov/9999-99-99-99999", "LOV-0000-00-00-0",
    "lov/1999-03-26-17",
    "lov/1999-03-26-17/§" + "9" * 200, "art. " + "1" * 100, "1. ledd " * 100, "bokstav a–å",
    "nr. " + "1." * 200, "٣-٥", "½", "Ⅷ",
)  # fmt: skip

CHARACTERS = (
    *(chr(code) for code in (*range(0x20), 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xAD)),
    "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2060",
    "\u2066", "\ufeff",
    "\ufffd", "\ufffe", "\uffff", "\ud800", "\udfff", "\udc00\ud800", "\U0010ffff", "\U000e0001",
    "\U000f0000",
)  # fmt: skip

SCRIPTS = (
    "😀", "🏠🔑", "👨‍👩‍👧‍👦", "🇳🇴", "👍🏽", "☃️", "Ⅳ", "ﬁnans", "Ａｒｂｅｉｄ", "ＤＥＰＯＳＩＴＵＭ",
    "ẞß", "İstanbul", "ıi", "ſ", "Σίσυφος",
    "ǆ", "å", "a\u030a", "ö", "þ", "депозит", "押金", "敷金はいくら", "보증금", "إيداع", "פיקדון",
    "ฝากเงิน", "जमा", "ᚠᚢᚦ", "𝔡𝔢𝔭", "𒀀", "ꙮ",
    "z̸̢̛͚̲a̷̡͎l̵͔̓g̶̜̈o̵͈͝", "d" + "\u0301" * 200, "\u0301" * 500, "e\u0300\u0301\u0302" * 100,
    "\u202emutisoped", "dep\u00adositum",
    "dep\u200bositum", "dep\u0000ositum", "\ufeffdepositum", "ÆØÅ æøå", "Æ" * 300, "İ" * 300, "ß" * 300,
    "ﷺ" * 100,
)  # fmt: skip

STOP_WORDS = (
    "og", "i", "på", "og i jeg det at en et den til er", "hva er det", "kan jeg", "ikke", "ikkje",
    "hvem hva hvor", "av av av",
    "the", "what is it", "can I", "to be or not to be", "who am I", "å", "OR", "AND", "NOT", "OR OR OR",
    "-og", '"og i"',
    'og "i" -på', "-the -og", "hva hva hva OR hvem",
)  # fmt: skip

LONG = (
    "a" * 3_999, "Å" * 3_999, "1" * 3_999, "(" * 3_999, '"' * 3_999, "-" * 3_999, "§" * 3_999, "😀" * 1_000,
    "a " * 1_999, "- " * 1_999,
    "-a " * 1_300, '"a" ' * 999, "a OR " * 799, "ab" * 1_999, "depositum" * 444, "depositum " * 399,
    "§ 3-5 " * 650,
    "husleieloven " * 300, "husll § 3-5 og " * 260, "oppsigelsesfrist" * 249, "taushetsplikt " * 280,
    "landlord rent " * 280,
    " ".join(f"ord{n}" for n in range(480)),
    " ".join(f"xqz{chr(97 + n % 26)}{chr(97 + n // 26)}ord" for n in range(390)),
    "a\n" * 1_999, "\t" * 3_998 + "a", "a" + " " * 3_998 + "b", "kaste ut " * 440, "“”" * 1_999,
    "x" * 10_240, "ord " * 2_560,
    "Å" * 10_240, '"' * 10_240, "(" * 10_240, "depositum OR " * 800, "\x00" * 10_240, "😀" * 10_240,
    "-a" * 5_120,
)  # fmt: skip
"""To the limit of a request, and 10 kB and more."""


def _categories() -> Iterator[str]:
    """Yield the first and the last character of every Unicode category, alone and inside a word."""
    ends: dict[str, tuple[str, str]] = {}
    for code in range(0x110000):
        character = chr(code)
        category = unicodedata.category(character)
        ends[category] = (ends.get(category, (character, ""))[0], character)
    for _, (first, last) in sorted(ends.items()):
        yield from (first, last, f"dep{first}ositum {last}leie", f'"{first}{last}" -{last}')


def _combined() -> Iterator[str]:
    for operator, word in product(OPERATORS, WORDS[:2]):
        yield from (f"{operator} {word}", f"{word}{operator}{word}")
    for first, second in pairwise(OPERATORS):
        yield f"{first}{second} {WORDS[0]} {second} {first}"
    for quote in QUOTES:
        yield from (quote, f"{quote}{WORDS[0]}", f"{WORDS[0]} {quote}leie{quote} -{quote}garanti{quote}", quote * 3)
    for opening, closing in BRACKETS:
        yield from (opening * 200 + WORDS[0] + closing * 200, f"{closing}{WORDS[0]}{opening}", f"{opening}{closing}")
    for one, other, third in permutations(("OR", "-", '"'), 3):
        yield f"{one}{WORDS[0]} {other}leie {third}"
    for character in CHARACTERS:
        yield from (character, f"{WORDS[0]}{character}{WORDS[1]}")


def _all() -> Iterator[str]:
    lists = (LUCENE, SQL, MARKUP, REGEXES, NUMBERS, SCRIPTS, STOP_WORDS, LONG)
    yield from (query for queries in lists for query in queries)
    yield from _combined()
    yield from _categories()


QUERIES: tuple[str, ...] = tuple(dict.fromkeys(_all()))
