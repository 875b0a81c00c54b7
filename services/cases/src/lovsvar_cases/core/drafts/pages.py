"""What a document shows, in every format: addresses, date, case number, title, text, signatures and sources."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from lovsvar_cases.core.drafts.blocks import Blocks, as_data, changed, settable
from lovsvar_cases.core.drafts.citations import with_names
from lovsvar_cases.core.drafts.placeholders import Meanings, address_lines, filled, whole_name
from lovsvar_contracts.case_drafts import Draft, DraftSource, Layout

MONTHS = (
    "januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
    "desember",
)  # fmt: skip


@dataclass(frozen=True)
class Page:
    """A document, ready to be set."""

    layout: Layout
    title: str
    dated: date
    sender: tuple[str, ...]
    recipient: tuple[str, ...]
    contact: tuple[str, ...]
    place_and_date: str
    reference: str
    case_number: str
    body: Blocks
    signatures: tuple[str, ...]
    sources: tuple[str, ...]
    unverified: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the page as JSON data."""
        flat = asdict(self)
        day = {"year": self.dated.year, "month": self.dated.month, "day": self.dated.day}
        return {**flat, "layout": str(self.layout), "dated": day, "body": as_data(self.body)}


def written(day: date) -> str:
    """Return a day as one writes it: `1. mai 2026`."""
    return f"{day.day}. {MONTHS[day.month - 1]} {day.year}"


def page_of(draft: Draft, blocks: Blocks, meanings: Meanings) -> Page:
    """Return a revision as a page. Raises `Unfilled` for placeholders that stand for nothing."""
    head = draft.head
    body = filled(blocks, meanings)
    body = changed(body, lambda text: settable(with_names(text, draft.sources)))
    title = draft.name
    if body and body[0].kind == "heading":
        title, body = body[0].text, body[1:]
    dated = head.dated or draft.made_at.date()
    sender = meanings.parties.get(head.sender or "")
    recipient = meanings.parties.get(head.recipient or "")
    return Page(
        layout=head.layout,
        title=settable(" ".join(title.split())),
        dated=dated,
        sender=tuple(map(settable, address_lines(sender))) if sender else (),
        recipient=tuple(map(settable, (*(address_lines(recipient) if recipient else ()), *head.recipient_lines))),
        contact=tuple(filter(None, (sender.fields.get("phone"), sender.fields.get("email")))) if sender else (),
        place_and_date=", ".join(filter(None, (settable(head.place), written(dated)))),
        reference=settable(head.reference),
        case_number=draft.case_id[:8],
        body=body,
        signatures=tuple(
            settable(one) for one in (whole_name(sender) if sender else "", *_signers(draft, meanings)) if one
        ),
        sources=tuple(map(_source, draft.sources)),
        unverified=tuple(settable(quote) for quote in draft.unverified),
    )


def _signers(draft: Draft, meanings: Meanings) -> tuple[str, ...]:
    """Return who else signs; `recipient` is the name of that party."""
    recipient = meanings.parties.get(draft.head.recipient or "")
    return tuple(
        (whole_name(recipient) if recipient else "") if one == "recipient" else one for one in draft.head.signatures
    )


def _source(source: DraftSource) -> str:
    said = [source.title, source.refid]
    if source.in_force_from:
        said.append(f"i kraft {written(source.in_force_from)}")
    if source.corpus_date:
        said.append(f"lest i samlingen per {written(source.corpus_date)}")
    if source.quotes:
        said.append("sitert ordrett")
    return ", ".join(said)
