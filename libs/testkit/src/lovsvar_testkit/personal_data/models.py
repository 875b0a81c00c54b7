"""An assistant that repeats whatever it is shown wherever it can, and a reasoner that does the same."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lovsvar_testkit.deposit_law import DepositLaw
from lovsvar_testkit.model_replies import Reply
from lovsvar_testkit.personal_data.made_cases import SECOND

_CASE = re.compile(r"i saken (\w{32})")
_DOCUMENT = re.compile(r'\\?"document_id\\?": ?\\?"([^"\\]+)')
_PLACEHOLDER = re.compile(r"\{\{\s*([a-zA-Z]+\d+(?:\.[A-Za-z]+)?)\s*\}\}")
PERSON = (
    *("firstName", "lastName", "birthNumber", "address", "postalCode", "city", "phone", "email"),
    *("accountNumber", "iban"),
)
ORGANISATION = ("orgName", "orgNumber", "contactName")
DRAFT = "Krav om depositum"


@dataclass(frozen=True)
class Assistant:
    """What the assistant does next, by what the conversation has come to."""

    law: DepositLaw

    def __call__(self, body: Mapping[str, Any], _: int) -> Reply:
        """Return the next reply to a request."""
        messages = body["messages"]
        shown = "\n".join(str(one["content"]) for one in messages if one["role"] in {"user", "tool"})
        about = _CASE.search(str(messages[0]["content"]))
        if about is None:
            return {"text": json.dumps({"tier": 1, "reason": shown[-400:], "question": ""}, ensure_ascii=False)}
        case = {"case_id": about[1]}
        # Calls that were made at once come back one after the other.
        done = sum(len(message.get("tool_calls") or ()) for message in messages)
        for calls in self._writing(case, shown) if SECOND in shown else self._gathering(case, shown):
            if done < len(calls):
                return {"calls": calls[done:]}
            done -= len(calls)
        answer = f"Loven sier: «{self.law.quote}» [{self._source(shown)}]. Det gjelder {' '.join(placeholders(shown))}."
        return {"final": {"answer": answer, "citations": [[self._source(shown), self.law.quote]]}}

    def _gathering(self, case: Mapping[str, str], shown: str) -> Iterator[list[dict[str, Any]]]:
        """Yield the calls of the first message: everything is read, kept, searched for and asked about."""
        documents = dict.fromkeys(_DOCUMENT.findall(shown))
        words, last = " ".join(placeholders(shown)), shown[-3_000:]
        yield [{"get_case_details": case}]
        yield [
            *({"read_case_document": {**case, "document_id": one}} for one in documents),
            {"search_case_documents": {**case, "query": f"depositum {words}"[:450]}},
            {"get_party_id_by_name": {**case, "mentioned_name": "{{party0.lastName}}"}},
        ]
        yield [
            {"update_case_details": {**case, "updates": {"facts": [{"fact": last}], "internal_notes": [last[:900]]}}},
            {"verify_document_quote": {**case, "quote": last[-300:]}},
            {"search_lovdata_legal_documents": {"query": last[-300:]}},
            {"search_lovdata_legal_practice": {"query": last[-200:]}},
            {"query_law_sql": {**case, "query_string": _query(last), "table_name": "legislation"}},
        ]
        yield [
            {"hent_lovtekst": {"document": self.law.refid, "section": self.law.section}},
            {"consult_reasoner": {**case, "context_summary": last, "specific_question": last[:400]}},
        ]
        yield [{"ask_user": {"question": f"Stemmer dette: {last[:300]}?"}}]

    def _writing(self, case: Mapping[str, str], shown: str) -> Iterator[list[dict[str, Any]]]:
        """Yield the calls of the second message: the draft names everything that there is a placeholder for."""
        yield [{"get_case_details": case}]
        yield [
            *({"read_case_document": {**case, "document_id": one}} for one in dict.fromkeys(_DOCUMENT.findall(shown))),
            {"hent_lovtekst": {"document": self.law.refid, "section": self.law.section}},
        ]
        head = {"draft_name": DRAFT, "revision": 1, "sender": "party0", "recipient": "party1"}
        yield [{"generate_draft_pdf": {**case, **head, "markdown_content": self._draft(shown)}}]

    def _draft(self, shown: str) -> str:
        fields = [f"party{number}.{name}" for number in (0, 1) for name in PERSON]
        fields += [f"party2.{name}" for name in ORGANISATION]
        fields += [name for name in map(_name_of, placeholders(shown)) if "." not in name]
        lines = (f"{name}: {{{{{name}}}}}" for name in fields)
        quote = f"«{self.law.quote}» [{self.law.refid}/{self.law.section.replace(' ', '')}]"
        return "\n\n".join((f"# {DRAFT}", f"Loven sier: {quote}.", *lines))

    def _source(self, shown: str) -> str:
        """Return the id of the provision in the conversation."""
        before = shown.partition(self.law.quote[:40])[0]
        found = re.findall(r"lovdata-\d+", before) or ["lovdata-1"]
        return str(found[-1])


def reasoner(body: Mapping[str, Any], _: int) -> Reply:
    """Return advice that repeats what was asked."""
    asked = str(body["messages"][-1]["content"])
    return {"text": f"Råd: {asked[-2_000:]}"}


def placeholders(text: str) -> list[str]:
    """Return the placeholders in a text, each once."""
    return list(dict.fromkeys(found[0] for found in _PLACEHOLDER.finditer(text)))


def _name_of(placeholder: str) -> str:
    return placeholder.strip("{} ")


def _query(text: str) -> str:
    literal = text[-100:].replace("'", "''").replace("\\", "")
    return f"SELECT doc_id FROM legislation WHERE title = '{literal}'"  # noqa: S608  A model writes what it wants.
