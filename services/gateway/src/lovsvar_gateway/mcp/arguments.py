"""Arguments that several tools take."""

from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from lovsvar_contracts.law import LawType
from lovsvar_gateway.core.mcp.token_budget import LEAST_TOKENS, MAX_TOKENS
from lovsvar_gateway.core.phrases import Plain

DEFAULT_TOKENS = 3_000

ActName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
    Plain,
    Field(
        description="Navn, kortnavn, forkortelse eller nummer: «husleieloven», «aml», «GDPR», «lov/1999-03-26-17», "
        "«LOV-1999-03-26-17», «forskrift/2016-08-12-974»."
    ),
]


def _as_text(value: object) -> object:
    return str(value) if type(value) is int else value


SectionName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=150),
    Plain,
    # A model that is asked for a paragraph often gives its number as one.
    BeforeValidator(_as_text),
    Field(
        description="Paragraf, artikkel eller kapittel, gjerne med ledd og bokstav: «3-5», «§ 2 A-1», «artikkel 5», "
        "«3-5 annet ledd», «kapittel 3»."
    ),
]
MaxTokens = Annotated[
    int,
    Field(
        ge=LEAST_TOKENS, le=MAX_TOKENS, description="Hvor mange tokens svaret høyst skal ha. Kutt blir alltid fortalt."
    ),
]
Query = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000),
    Plain,
    Field(
        description='Ord eller et helt spørsmål; treff med alle ordene kommer først. "ord i anførselstegn" må stå '
        "samlet, -ord skal ikke stå, OR skiller alternativer, ord på begge sider av AND må stå."
    ),
]
DocType = Annotated[
    LawType,
    BeforeValidator(lambda value: value.strip().casefold() if isinstance(value, str) else value),
    Field(description="Bare denne typen dokument."),
]
Ministry = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200),
    Plain,
    Field(description="Del av departementets navn."),
]
Year = Annotated[int, Field(ge=1600, le=3000, description="Bare dokumenter fra dette året.")]
