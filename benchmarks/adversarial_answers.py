"""Whether wrong answers are found out, and true ones left alone: both made by script from real provisions.

    LOVSVAR_ARCHIVES=FOLDER uv run python benchmarks/adversarial_answers.py
    LOVSVAR_ARCHIVES=FOLDER uv run python benchmarks/adversarial_answers.py --part held-out --verbose
    LOVSVAR_ARCHIVES=FOLDER uv run python benchmarks/adversarial_answers.py --part unread

True answers (`true_answers.py`) go through the whole agent in direct mode, as if a model had given them, and nothing of
them should be flagged, rejected or set apart. Each is then attacked: its number is changed, a denial put in or taken
out, "kan" made "skal", its section made another one that exists, its quote cut before a condition that the prose leaves
out, its quote replaced by one of another act, a court decision invented, its Yes or No turned. An attack is caught when
the answer flags, rejects, marks or sets apart anything. The parts are made of different acts, with different seeds. The
part `unread` is of all acts, and its explanations are others: 123, of provisions drawn at random, written by somebody
who saw neither the checks nor other explanations, and each read against its provision. What its first look showed was
put right since (docs/decisions/0036).
"""

import argparse
import asyncio
import json
import os
import random
import re
import tarfile
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from true_answers import CONDITION, FIGURES, ID, TrueAnswer, drawn, may_be_said, of_explanation, of_sentence

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_contracts.identifiers import lovdata_url, section_key, viewer_path
from lovsvar_contracts.ingest import DATASET_LAWS
from lovsvar_contracts.law import Block, InForce, LawType, Provision, ProvisionKind
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted
from lovsvar_contracts.search import Resolution, ResolveReference
from lovsvar_ingest.core.lovdata_reader import parse_document
from lovsvar_legaltext.act_names import Act, ActNames
from lovsvar_legaltext.explanations import LANGUAGES
from lovsvar_legaltext.sentences import sentence_spans
from lovsvar_search.app import load_aliases

TRUE, ATTACKS = 200, 160
SEEDS = {"development": 1, "held-out": 9203, "unread": 3}
SHIPPED = Path(__file__).parents[1] / "services/agent/src/lovsvar_agent/data/explanations.jsonl"
UNREAD = Path(__file__).with_name("explanations") / "unread.jsonl"
BLOCKS = TypeAdapter(tuple[Block, ...])
CASES = ("HR-2019-1234-A", "Rt. 2003 s. 1132", "LB-2017-45678", "Rt. 1998 side 774", "HR-2021-987-U")


class Law(MemorySearch):
    """A few provisions to be found; whatever is referred to is read and resolved in the whole corpus."""

    def __init__(self, found: Sequence[Provision], whole: MemorySearch) -> None:
        super().__init__(found)
        self.read, self.resolve = whole.read, whole.resolve  # type: ignore[method-assign]


class Whole(MemorySearch):
    """All provisions; an act is known by every name that search knows it by."""

    def __init__(self, provisions: Sequence[Provision], names: ActNames) -> None:
        super().__init__(provisions)
        self._names = names

    async def resolve(self, request: ResolveReference) -> Resolution:
        """Return what a reference names."""
        named = next((one for one in self._names.find(request.reference) if one.refids), None)
        if named is None:
            return await super().resolve(request)
        reference = f"{named.refids[0]}{request.reference[named.end :]}"
        return await super().resolve(request.model_copy(update={"reference": reference}))


class SaysThis(LanguageModel):
    """A model that gives one answer, however often it is asked."""

    name = "script"

    def __init__(self, answer: TrueAnswer) -> None:
        citations = [{"evidenceId": i, "quote": q} for i, q in answer.quotes]
        self._said = json.dumps({"answer": answer.prose, "citations": citations, "insufficient": False})

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return nothing: it is free."""
        return 0.0

    async def reply(self, request: Request) -> AsyncGenerator[Mapping[str, Any], None]:
        """Yield the answer in one piece."""
        yield {"choices": [{"delta": {"content": self._said}, "finish_reason": "stop"}]}


@dataclass(frozen=True)
class Part:
    """The acts of one part of the benchmark; `resolving` knows the names of all acts."""

    provisions: tuple[Provision, ...]
    resolving: MemorySearch
    explanations: Path

    def around(self, one: Provision, rng: random.Random) -> tuple[Provision, ...]:
        """Return some provisions of the same act, and some of others."""
        own = [p for p in self.provisions if p.refid == one.refid and p.section != one.section]
        others = [p for p in self.provisions if p.refid != one.refid]
        return (*rng.sample(own, min(4, len(own))), *rng.sample(others, 4))


def read_part(folder: Path, part: str) -> Part:
    """Return the provisions of every second act, by its number, or of all."""
    found, known, acts = list[Provision](), list[Provision](), list[Act]()
    with tarfile.open(folder / f"{DATASET_LAWS}.tar.bz2") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and member.name.endswith(".xml"):
                document = parse_document(file.read(), member.name, DATASET_LAWS, date(2026, 11, 24))
                held_out = sum(map(ord, document.refid)) % 2 == 1
                provisions = list(_provisions(document))
                known += provisions
                acts.append(_act(document.header))
                if (
                    part in ("unread", "held-out" if held_out else "development")
                    and document.header.in_force is InForce.YES
                ):
                    found += provisions
    whole = Whole(known, ActNames(acts, aliases=load_aliases()))
    return Part(tuple(found), whole, UNREAD if part == "unread" else SHIPPED)


def _act(header: Any) -> Act:
    known = ("refid", "title", "short_title", "abbreviation", "law_type", "in_force", "ministries", "legal_areas")
    return Act(**{name: getattr(header, name) for name in known})


def _provisions(document: Any) -> Iterator[Provision]:
    name = document.header.short_title or document.header.title
    for section in document.sections:
        if section.kind is ProvisionKind.PROVISION and 60 < len(section.text) < 4_000:
            yield Provision(
                refid=document.refid, section=section.section, value=section.value, title=section.title, act=name,
                document_title=document.header.title, law_type=LawType.LOV, position=section.position,
                text=section.text, blocks=BLOCKS.validate_json(section.blocks_json), in_force=InForce.YES,
                content_hash="", tokens=section.tokens, url=viewer_path(document.refid, section.section),
                lovdata_url=lovdata_url(document.refid, section.section), dataset=DATASET_LAWS,
            )  # fmt: skip


def true_answers(part: Part, count: int, rng: random.Random) -> list[TrueAnswer]:
    """Return true answers: a third are explanations that people wrote, the rest made of sentences of the law."""

    def made(provision: Provision) -> Iterator[TrueAnswer]:
        lines = provision.text.split("\n")
        said = [line[a:b] for line in lines for a, b in sentence_spans(line, 0, len(line))]
        for sentence in (s for s in said if may_be_said(s)):
            yield from of_sentence(sentence, provision, rng)

    by_place = {(p.refid, section_key(p.section)): p for p in part.provisions}
    explained = []
    for line in part.explanations.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        provision = by_place.get((one["refid"], section_key(one["section"])))
        if provision:
            explained += of_explanation({name: one[name] for name in LANGUAGES if name in one}, provision)
    chosen = rng.sample(explained, count // 3)
    return [*chosen, *drawn(made, part.provisions, count - len(chosen), rng)]


Attack = Callable[[TrueAnswer, Sequence[Provision], random.Random], TrueAnswer | None]


def number_changed(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with another number before a unit."""
    words = "|".join(FIGURES)
    unit = r"(?=\s+(?:\w+\s+)?(?:dag|uke|vek|måned|månad|år|time|kron|prosent|day|week|month|year|hour|per\s?cent))"
    match = re.search(rf"\b(?:{words}|\d{{1,3}}|two|three|four|five|six|seven|eight|ten|twelve)\b{unit}", answer.prose)
    if not match:
        return None
    words_of = {"ni": "9", "elleve": "11", "femten": "15", "17": "17", "23": "23"}
    text = answer.provision.text
    others = [word for word, figure in words_of.items() if word not in text and figure not in text]
    if not others:
        return None
    return replace(answer, prose=_put(answer.prose, match, rng.choice(others)))


def negated(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with a denial taken out, or put after its first verb of force."""
    if match := re.search(r"\s(?:ikke|ikkje|not)\b", answer.prose):
        return replace(answer, prose=_put(answer.prose, match, ""))
    if match := re.search(r"\b(?:kan|skal|må|har|er|gjelder|gjeld|får|plikter|may|must|can|is|are)\b", answer.prose):
        word = "not" if answer.language == "en" else "ikkje" if answer.language == "nn" else "ikke"
        return replace(answer, prose=_put(answer.prose, match, f"{match.group()} {word}"))
    return None


def other_force(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with "skal" for "kan", or the other way round."""
    turned = {"kan": "skal", "skal": "kan", "må": "kan", "may": "must", "must": "may"}
    match = re.search(
        r"\b(?:kan|skal|må|may|must)\b(?!(?:\s+\w+){0,5}?\s+(?:ikke|ikkje|not|bare|berre|only)\b)", answer.prose
    )
    return replace(answer, prose=_put(answer.prose, match, turned[match.group()])) if match else None


def other_section(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer said to be of another section of the same act, or of another act."""
    if answer.form not in ("section", "verbatim", "other words", "explanation") or answer.language == "en":
        return None
    own = [p for p in around if p.refid == answer.provision.refid]
    wrong = rng.choice(own or list(around))
    name = wrong.act.split(" – ")[0]
    if answer.form == "section":
        prose = answer.prose.replace(answer.provision.value, wrong.value, 1)
    else:
        prose = f"Etter {name[:1].lower()}{name[1:]} {wrong.value} gjelder dette: {answer.prose}"
    return replace(answer, prose=prose) if prose != answer.prose else None


def condition_cut(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return an answer that ends, and whose quote ends, before the condition of the sentence."""
    quote = answer.quotes[0][1]
    match = CONDITION.search(quote, 30)
    if not match or answer.form not in ("conditional", "verbatim"):
        return None
    cut = quote[: match.start()]
    return replace(answer, prose=f"{cut} [{ID}].", quotes=((ID, cut),))


def foreign_quote(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with a real quote of another act in place of its own, and its id."""
    others = [(n, p) for n, p in enumerate(around, 2) if p.refid != answer.provision.refid]
    place, other = rng.choice(others)
    line = max(other.text.split("\n"), key=len)
    start, end = next(iter(sentence_spans(line, 0, len(line))))
    return replace(
        answer, prose=answer.prose.replace(ID, f"lovdata-{place}"), quotes=((f"lovdata-{place}", line[start:end]),)
    )


def invented_case(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with a court decision that no source has."""
    court = f"Dette er også lagt til grunn av Høyesterett i {rng.choice(CASES)}."
    inside = f"{answer.prose.rstrip('.')}, slik det ble slått fast i {rng.choice(CASES)}."
    return replace(answer, prose=rng.choice((f"{answer.prose} {court}", inside)))


def verdict_turned(answer: TrueAnswer, around: Sequence[Provision], rng: random.Random) -> TrueAnswer | None:
    """Return the answer with No for Yes, or the other way round."""
    if not answer.form.startswith("verdict"):
        return None
    verdict = "Nei" if answer.prose.startswith("Ja") else "Ja"
    return replace(answer, prose=re.sub(r"^(?:Ja|Nei)", verdict, answer.prose))


ATTACKING: Mapping[str, Attack] = {
    "number changed": number_changed,
    "negation": negated,
    "modality": other_force,
    "other section": other_section,
    "condition cut": condition_cut,
    "foreign quote": foreign_quote,
    "invented case": invented_case,
    "verdict turned": verdict_turned,
}


def _put(text: str, match: re.Match[str], words: str) -> str:
    return f"{text[: match.start()]}{words}{text[match.end() :]}"


async def answered(answer: TrueAnswer, around: Sequence[Provision], whole: MemorySearch) -> Answer:
    """Return what the agent makes of an answer of a model that has found its provision and those around."""
    law = Law((answer.provision, *around), whole)
    asked = QuestionAsked(question=answer.question, mode=Mode.DIRECT, locale=answer.language)
    sink = MemorySink()
    known = _evidence((answer.provision, *around))
    await Answerer(law, Limits(patience=0.0), Mode.DIRECT, SaysThis(answer)).answer(
        asked, replace(Attempt(), known=known), sink
    )
    return next(event.answer for event in sink.events if isinstance(event, AnswerCompleted))


def _evidence(provisions: Sequence[Provision]) -> tuple[Any, ...]:
    from lovsvar_agent.core.evidence import EvidenceRegistry
    from lovsvar_agent.core.source_kinds.law import LAW

    return EvidenceRegistry().add(LAW, provisions)


def findings(answer: Answer) -> list[str]:
    """Return what was found wrong with an answer."""
    found = [f"flagged {f.why}: {f.sentence}" for f in answer.flagged]
    found += [f"rejected: {r.quote} ({r.reason})" for r in answer.rejected]
    found += [f"uncited: {s}" for s in answer.uncited]
    found += [f"unresolved: {s}" for s in answer.unresolved]
    found += [f"not shown, quotes instead: {answer.fallback}"] if answer.fallback else []
    return found or (["insufficient"] if answer.insufficient else [])


async def main() -> None:
    """Make, attack, and count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=sorted(SEEDS), default="development")
    parser.add_argument("--archives", type=Path, default=os.environ.get("LOVSVAR_ARCHIVES"))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--verbose", action="store_true", help="print what was missed and what was flagged wrongly")
    arguments = parser.parse_args()
    part = read_part(arguments.archives, arguments.part)
    rng = random.Random(arguments.seed or SEEDS[arguments.part])
    answers = true_answers(part, TRUE, rng)
    arounds = [part.around(a.provision, rng) for a in answers]
    wrongly: list[tuple[TrueAnswer, list[str]]] = []
    for answer, around in zip(answers, arounds, strict=True):
        if found := findings(await answered(answer, around, part.resolving)):
            wrongly.append((answer, found))
    asked, caught = Counter[str](), Counter[str]()
    missed: defaultdict[str, list[TrueAnswer]] = defaultdict(list)
    for kind, attack in ATTACKING.items():
        for answer, around in rng.sample(list(zip(answers, arounds, strict=True)), len(answers)):
            if asked[kind] < ATTACKS // len(ATTACKING) and (wrong := attack(answer, around, rng)):
                asked[kind] += 1
                if findings(await answered(wrong, around, part.resolving)):
                    caught[kind] += 1
                else:
                    missed[kind].append(wrong)
    for kind in ATTACKING:
        print(f"{kind:16} {caught[kind]:3} of {asked[kind]:3} caught")
    print(f"{'all':16} {caught.total():3} of {asked.total():3} caught ({caught.total() / asked.total():.1%})")
    forms = Counter(a.form for a in answers)
    false = Counter(a.form for a, _ in wrongly)
    print(f"flagged wrongly  {len(wrongly):3} of {len(answers):3}:", {f: f"{false[f]}/{n}" for f, n in forms.items()})
    if arguments.verbose:
        for answer, found in wrongly:
            print("\nWRONGLY", answer.form, answer.question, "|", answer.prose, "|", answer.quotes, found)
        for kind, wrongs in missed.items():
            for wrong in wrongs:
                print("\nMISSED", kind, wrong.question, "|", wrong.prose, "|", wrong.quotes)


if __name__ == "__main__":
    asyncio.run(main())
