"""The form that a model gives its answer in."""

from collections.abc import Mapping
from typing import Any

from lovsvar_agent.core.tools.tool import definition, record, text

ANSWER = "sammenstill_svar"

DESCRIPTION = """\
Gi det endelige svaret. Bruk denne først når kildene er funnet og lest. Hvert sitat må stå ordrett i kilden det viser
til. Sett insufficient til true når kildene ikke svarer på spørsmålet, og skriv i missing hva som mangler."""

ANSWER_SCHEMA: Mapping[str, Any] = record(
    ("answer", "citations", "insufficient", "missing"),
    answer=text("Svaret, på spørsmålets språk. Vis til kilder i teksten med id i klammer: [lovdata-1]."),
    citations={
        "type": "array",
        "description": "Ett sitat for hver rettsregel svaret bygger på.",
        "items": record(
            ("evidenceId", "quote"),
            evidenceId=text("Id-en til kilden, for eksempel «lovdata-1»."),
            quote=text("Ordrett, sammenhengende utdrag av kilden, på kildens eget språk."),
        ),
    },
    insufficient={"type": "boolean", "description": "Om kildene ikke er nok til å svare."},
    missing=text("Hva som mangler når insufficient er true, ellers en tom streng."),
)

DEFINITION = definition(ANSWER, DESCRIPTION, ANSWER_SCHEMA)
