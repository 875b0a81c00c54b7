"""The templates that there are, and which of them may be used by the law as it is."""

from collections.abc import Mapping

from lovsvar_cases.core.drafts.citations import LawSource
from lovsvar_cases.core.drafts.errors import TemplateNotOffered, UnknownTemplate
from lovsvar_cases.core.drafts.templates import Standing, Template, digest_of, standing
from lovsvar_contracts.case_drafts import DraftTemplate
from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.search import ProvisionRef

AT_ONCE = 50


class Shelf:
    """Templates by their ids. Before `verify` none may be used."""

    def __init__(self, templates: Mapping[str, Template]) -> None:
        self._templates = templates
        self._standings: dict[str, Standing] = {}

    async def verify(self, law: LawSource) -> int:
        """Compare every template with the law, and return how many are withdrawn. Raises `SourcesUnavailable`."""
        digests = await digests_of({ref for one in self._templates.values() for ref in one.provisions}, law)
        self._standings = {name: standing(one, digests) for name, one in self._templates.items()}
        return sum(one.status == "withdrawn" for one in self._standings.values())

    def offered(self, template_id: str) -> Template:
        """Return a template that may be used. Raises `UnknownTemplate` and `TemplateNotOffered`."""
        template, found = self._found(template_id)
        if found.status != "offered":
            raise TemplateNotOffered(found.reason)
        return template

    def shown(self, template_id: str | None) -> tuple[DraftTemplate, ...]:
        """Return all templates without their texts, by title, or the one that is named, whole."""
        if template_id is not None:
            template, found = self._found(template_id)
            return (template.shown(found, whole=True),)
        ordered = sorted(self._templates, key=lambda name: self._templates[name].title_nb)
        return tuple(one.shown(found, whole=False) for one, found in map(self._found, ordered))

    def _found(self, template_id: str) -> tuple[Template, Standing]:
        if template_id not in self._templates:
            raise UnknownTemplate(f"Det finnes ingen mal «{template_id[:60]}».")
        return self._templates[template_id], self._standings.get(template_id, Standing())


async def digests_of(refs: set[ProvisionRef], law: LawSource) -> dict[ProvisionRef, str | None]:
    """Return the hash of each provision's text as it is now, None for one that there is not."""
    ordered = sorted(refs, key=lambda ref: (ref.refid, ref.section))
    texts: dict[tuple[str, str], str] = {}
    for start in range(0, len(ordered), AT_ONCE):
        reply = await law.read(ordered[start : start + AT_ONCE])
        texts |= {(one.refid, section_key(one.section)): one.text for one in reply.provisions}
    found = {ref: texts.get((ref.refid, section_key(ref.section))) for ref in refs}
    return {ref: None if text is None else digest_of(text) for ref, text in found.items()}
