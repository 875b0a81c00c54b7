"""Parts of a question that are searched by themselves: its content words, what asks in a story, the rule."""

from collections.abc import Iterable, Mapping

from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_legaltext.words import content_words

ENOUGH_WORDS = 2
"""Content words from which what asks is searched without the story around it."""

_ASKING_TEXT = """
    hvilken hvilket hvilke hva hvor kva kvar kor which what where i etter under in can kan er is
"""
_FRAME_TEXT = """
    i av etter under for in of the at that about om det denne dette jeg eg me vi you du it den hvilken hvilke kva which
    paragraf paragrafen paragrafene paragrafane bestemmelse bestemmelsen føresegn føresegna regel regelen reglene
    reglane § section part provision rule sier seier sei står stend finner finn finne handler handlar kan can does do
    say says
"""
_ASKING = frozenset(_ASKING_TEXT.split())
_FRAME = frozenset(_FRAME_TEXT.split())


def by_content_words(question: str, names: Mapping[str, str]) -> str:
    """Return the content words of a question; those that are abbreviations of acts are replaced by their `names`."""
    return " ".join(names.get(word, word) for word in content_words(question))


def asking_sentences(question: str) -> str:
    """Return the sentences that ask, if they say enough; the others tell the story around them."""
    sentences = [question[start:end].strip() for start, end in sentence_spans(question, 0, len(question))]
    asking = " ".join(sentence for sentence in sentences if sentence.endswith("?"))
    return asking if len(content_words(asking)) >= ENOUGH_WORDS else ""


def rule_asked_for(question: str, acts: Iterable[str]) -> str:
    """Return what a question says of a rule, without the names of `acts` and the words that ask where it is.

    'Hvor i arbeidsmiljøloven står det hvor mye feriepenger jeg får?' asks for 'hvor mye feriepenger jeg får?'.
    """
    for act in acts:
        question = question.replace(act, " ")
    found = question.split()
    if found and _bare(found[0]) in _ASKING:
        found = found[1:]
    while found and _bare(found[0]) in _FRAME:
        found = found[1:]
    return " ".join(found) if content_words(" ".join(found)) else ""


def _bare(word: str) -> str:
    return word.casefold().strip(',.:;?!()«»"')
