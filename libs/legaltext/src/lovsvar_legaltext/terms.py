"""Terms of law in words: types of document, and whether something is law today."""

from lovsvar_contracts.law import InForce, LawType

PLURALS = {
    LawType.LOV: "lover",
    LawType.FORSKRIFT: "forskrifter",
    LawType.VEDTAK: "vedtak",
    LawType.INSTRUKS: "instrukser",
    LawType.REGLEMENT: "reglementer",
    LawType.VEDLEGG: "vedlegg",
}
"""What documents of a type are called."""

IN_FORCE = {
    InForce.YES: "i kraft",
    InForce.NOT_YET: "ikke trådt i kraft",
    InForce.REPEALED: "opphevet",
    InForce.UNKNOWN: "ikke oppgitt om det er i kraft",
}
"""An in-force status as it is said of a document or a provision."""
