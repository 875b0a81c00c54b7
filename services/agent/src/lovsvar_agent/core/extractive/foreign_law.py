"""Whether a question is about another country, where Norwegian law seldom answers.

Vector search does not distinguish countries: the age at which one may buy beer is near the Norwegian rule whatever
the country. So they are recognised by name.
"""

import re

_COUNTRY = r"""
    usa | u\.s\.a? | amerika | america | united\s+states | california | texas | united\s+kingdom | uk
  | storbritannia | england | skottland | scotland | sverige | sweden | danmark | denmark | finland | island | iceland
  | tyskland | germany | frankrike | france | spania | spain | italia | italy | portugal | polen | poland | nederland
  | netherlands | belgia | belgium | sveits | switzerland | østerrike | austria | russland | russia | kina | china
  | india | japan | saudi-arabia | thailand | brasil | brazil | canada | australia | tyrkia | turkey | hellas | greece
  | london | berlin | paris | amsterdam | stockholm | københavn | copenhagen | new\s+york
"""
_FROM_THERE = r"""
    amerikansk | american | britisk | british | engelsk | svensk | swedish | dansk | danish | finsk | finnish | islandsk
  | tysk | german | fransk | french | spansk | spanish | italiensk | italian | polsk | polish | russisk | russian
"""
_FLAGS = re.VERBOSE | re.IGNORECASE
_THERE = re.compile(rf"\b(?:i|in|på|on)\s+(?:the\s+)?(?:{_COUNTRY}|(?:{_FROM_THERE})e?\s+\w+)\b", _FLAGS)
_ITS_LAW = re.compile(
    rf"""
    \b(?:{_FROM_THERE})e?\s+
      (?: lov(?:en|er|givning\w*)? | rett | regler | laws? | rules | statsborger\w* | citizenship )\b
    """,
    _FLAGS,
)
_HERE = re.compile(r"\b(?:norge|noreg|norway|norsk\w*|norwegian|hit|hjem(?:me)?)\b", re.IGNORECASE)


_TOWNS = """
    oslo bergen trondheim stavanger tromsø kristiansand drammen fredrikstad sandnes bodø ålesund hamar lillehammer molde
    haugesund arendal skien porsgrunn tønsberg sandefjord sarpsborg moss harstad narvik alta førde gjøvik larvik halden
    kongsberg hønefoss hammerfest kirkenes vadsø steinkjer levanger sogndal voss odda kristiansund namsos mosjøen
    lillestrøm asker bærum jessheim elverum svolvær finnsnes longyearbyen svalbard
"""
_IN_TOWN = re.compile(
    rf"\b(?:i|in|på|from|fra|frå)\s+(?:\w+\s+(?:i|av|of)\s+)?(?:{'|'.join(_TOWNS.split())})\b", re.IGNORECASE
)

_ONESELF = re.compile(r"\b(?:[Jj]eg|[Mm]eg|[Mm]in|[Mm]itt|[Mm]ine|[Vv]i|[Oo]ss|[Vv]år\w*|[Ee]g|I|[Mm]y|[Ww]e|[Oo]ur)\b")
"""Without regard to case, the English 'I' would be the Norwegian 'i'."""


def is_about_foreign_law(question: str) -> bool:
    """Whether `question` asks for another country's law: 'dansk lov', or 'i USA' and no person there."""
    its_law = _ITS_LAW.search(question) and not _HERE.search(question)
    return bool(its_law or (is_set_abroad(question) and not _ONESELF.search(question)))


def is_set_abroad(question: str) -> bool:
    """Whether `question` is about another country, and not what that has to do with Norway."""
    here = _HERE.search(question) or _IN_TOWN.search(question)
    return bool(_THERE.search(question)) and not here
