"""Templates of drafts: what they ask for, the provisions that they rest on, and the text that they make."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lovsvar_cases.core.drafts.errors import InvalidDraft, Unfilled
from lovsvar_cases.core.drafts.placeholders import ANY, named
from lovsvar_contracts.case_details import PartyContext
from lovsvar_contracts.case_drafts import DraftHead, DraftTemplate, Layout, TemplateField, TemplateProvision
from lovsvar_contracts.search import ProvisionRef

FENCE = "+++\n"
SENDER, RECIPIENT = "sender", "recipient"
HASH_SIGNS = 16


@dataclass(frozen=True)
class Template:
    """A template as its file says. `provisions` are those that it rests on, each with the hash of its text."""

    template_id: str
    title_nb: str
    title_nn: str
    title_en: str
    tier: int
    layout: Layout
    sender: str
    recipient: str
    to_party: bool
    fields: tuple[TemplateField, ...]
    provisions: Mapping[ProvisionRef, str]
    body: str
    signatures: tuple[str, ...] = ()

    def shown(self, standing: "Standing", *, whole: bool) -> DraftTemplate:
        """Return the template as a reply."""
        return DraftTemplate(
            template_id=self.template_id,
            title_nb=self.title_nb,
            title_nn=self.title_nn,
            title_en=self.title_en,
            tier=self.tier,
            layout=self.layout,
            sender=self.sender,
            recipient=self.recipient,
            to_party=self.to_party,
            fields=self.fields,
            provisions=tuple(TemplateProvision(refid=ref.refid, section=ref.section) for ref in self.provisions),
            status=standing.status,
            reason=standing.reason,
            markdown=self.body if whole else "",
        )


@dataclass(frozen=True)
class Standing:
    """Whether a template may be used, by the law as it is now."""

    status: str = "unverified"
    reason: str = "Kildene som malen bygger på, er ikke kontrollert ennå."


@dataclass(frozen=True)
class Filled:
    """The text that a template makes in a case, and what stands around it."""

    markdown: str
    head: DraftHead
    name: str = field(default="")


def read_template(text: str) -> Template:
    """Return the template of a file: TOML between lines `+++`, then Markdown. Raises `ValueError` and `KeyError`."""
    _, front, body = text.split(FENCE, 2)
    data = tomllib.loads(front)
    needed, optional = data.get("fields", {}), data.get("optional", {})
    nn, en = data.get("fields_nn", {}), data.get("fields_en", {})
    asked = tuple(
        TemplateField(name=name, ask=ask, ask_nn=nn[name], ask_en=en[name], optional=name in optional)
        for name, ask in {**needed, **optional}.items()
    )
    made = Template(
        template_id=data["id"],
        title_nb=data["nb"],
        title_nn=data["nn"],
        title_en=data["en"],
        tier=data["tier"],
        layout=Layout(data["layout"]),
        sender=data["sender"],
        recipient=data.get("recipient") or data["to"],
        to_party="recipient" in data,
        fields=asked,
        provisions={_ref(name): digest for name, digest in data["provisions"].items()},
        body=body.strip() + "\n",
        signatures=tuple(data.get("signatures", ())),
    )
    known = {one.name for one in made.fields}
    used = {name for name in named(made.body) if not re.match(rf"({SENDER}|{RECIPIENT})\.", name)}
    if used != known:
        raise ValueError(f"template {made.template_id}: fields {sorted(used ^ known)} are used or described alone")
    return made


def _ref(name: str) -> ProvisionRef:
    refid, _, section = re.sub(r"/(§|gdpr/)", r"\n\1", name, count=1).partition("\n")
    return ProvisionRef(refid=refid, section=section)


def digest_of(text: str) -> str:
    """Return the hash of a provision's text that a template records; white space does not count."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:HASH_SIGNS]


def standing(template: Template, digests: Mapping[ProvisionRef, str | None]) -> Standing:
    """Return whether a template may be used. `digests` are those of the provisions as they are, None for those gone."""
    for ref, recorded in template.provisions.items():
        if digests.get(ref) is None:
            return Standing("withdrawn", f"Malen er trukket tilbake: {ref.refid} {ref.section} finnes ikke.")
        if digests[ref] != recorded:
            return Standing("withdrawn", f"Malen er trukket tilbake: teksten i {ref.refid} {ref.section} er endret.")
    return Standing("offered", "")


def fill(
    template: Template, values: Mapping[str, str], parties: Sequence[PartyContext], head: DraftHead | None
) -> Filled:
    """Return what a template makes. A paragraph whose optional field is not given is left out. Raises `Unfilled`."""
    given = {name: value.strip() for name, value in values.items() if value.strip()}
    if unknown := sorted(given.keys() - {one.name for one in template.fields}):
        raise InvalidDraft(f"Malen har ikke feltet «{unknown[0]}».")
    head = _head(template, parties, head or DraftHead())
    missing = [f"{{{{{f.name}}}}}: {f.ask}" for f in template.fields if f.name not in given and not f.optional]
    roles = {SENDER: head.sender, RECIPIENT: head.recipient}
    asked = {SENDER: template.sender, RECIPIENT: template.recipient}
    missing += [
        f"{{{{{name}}}}}: saken mangler parten «{asked[role]}»."
        for name in named(template.body)
        for role in (name.partition(".")[0],)
        if role in roles and roles[role] is None
    ]
    if missing:
        raise Unfilled(missing)

    def value(found: re.Match[str]) -> str:
        role, dot, of = found[1].partition(".")
        if dot:
            return "{{" + f"{roles[role]}.{of}" + "}}"
        alone = f"\n\n{found[0]}\n\n" in f"\n\n{template.body}\n\n"
        return _escaped(given[role]) if alone else _escaped(" ".join(given[role].split()))

    optional = {one.name for one in template.fields if one.optional and one.name not in given}
    kept = [part for part in template.body.split("\n\n") if not optional & set(named(part))]
    return Filled(ANY.sub(value, "\n\n".join(_without_empty_headings(kept))), head, template.title_nb)


def _without_empty_headings(parts: Sequence[str]) -> list[str]:
    """Leave out headings below which nothing was given."""
    following = [*parts[1:], "# "]
    return [
        part for part, after in zip(parts, following, strict=True) if not (part.startswith("##") and after[:1] == "#")
    ]


def _head(template: Template, parties: Sequence[PartyContext], given: DraftHead) -> DraftHead:
    """Return what stands around the text: as given, else by the roles that parties have, else by their order."""
    there = [party for party in parties if not party.removed]
    sender = given.sender or _party(there, template.sender, None) or (there[0].party_id if there else None)
    recipient = given.recipient
    if template.to_party and recipient is None:
        rest = [party for party in there if party.party_id != sender]
        recipient = _party(rest, template.recipient, None) or (rest[0].party_id if rest else None)
    lines = given.recipient_lines
    if not template.to_party and not lines and recipient is None:
        lines = (template.recipient,)
    return given.model_copy(
        update={
            "layout": template.layout,
            "sender": sender,
            "recipient": recipient,
            "recipient_lines": lines,
            "signatures": given.signatures or template.signatures,
        }
    )


def _party(parties: Sequence[PartyContext], role: str, otherwise: str | None) -> str | None:
    names = {name.strip().casefold() for name in role.split("/")}
    return next((party.party_id for party in parties if party.role.strip().casefold() in names), otherwise)


def _escaped(text: str) -> str:
    """Return a value that says the same as Markdown as it does as text."""
    plain = re.sub(r"([\\`*_\[\]<>#|~&!])", r"\\\1", text)
    # What would begin a list, a quote or a rule begins a paragraph.
    return re.sub(r"^(\s*)(\d{1,9})?([.)+=-])(?=\s|[-=]|$)", r"\1\2\\\3", plain, flags=re.MULTILINE)
