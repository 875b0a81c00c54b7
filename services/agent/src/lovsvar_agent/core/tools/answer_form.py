"""The form that a model gives its answer in: quotes first, so that the answer is written from them."""

from collections.abc import Mapping
from typing import Any

from lovsvar_agent.core.tools.tool import definition, record, text

ANSWER = "sammenstill_svar"

DESCRIPTION = "Gi det endelige svaret, med ordrette sitater fra kildene."

ANSWER_SCHEMA: Mapping[str, Any] = record(
    ("citations", "answer", "insufficient", "missing"),
    citations={
        "type": "array",
        "description": "Ett for hver rettsregel.",
        "items": record(
            ("evidenceId", "quote"),
            evidenceId={"type": "string"},
            quote={"type": "string"},
        ),
    },
    answer=text("Svaret, med id-er i klammer."),
    insufficient={"type": "boolean", "description": "Om kildene ikke er nok."},
    missing=text("Hva som mangler, ellers tom."),
)

DEFINITION = definition(ANSWER, DESCRIPTION, ANSWER_SCHEMA)
