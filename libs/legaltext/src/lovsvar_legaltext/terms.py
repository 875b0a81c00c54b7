"""The words for law types and in-force statuses."""

from lovsvar_contracts.law import InForce, LawType

PLURALS = {
    LawType.LOV: "lover",
    LawType.FORSKRIFT: "forskrifter",
    LawType.VEDTAK: "vedtak",
    LawType.INSTRUKS: "instrukser",
    LawType.REGLEMENT: "reglementer",
    LawType.VEDLEGG: "vedlegg",
}
"""The plural of each law type."""

IN_FORCE = {
    InForce.YES: "i kraft",
    InForce.NOT_YET: "ikke trådt i kraft",
    InForce.REPEALED: "opphevet",
    InForce.UNKNOWN: "ikke oppgitt om det er i kraft",
}
"""The words for the in-force status of a document or a provision."""
