"""Teaches the embedding model what people mean by their questions about law: a low-rank adapter of its questions' side.

    uv run --with torch==2.13.0 python benchmarks/train_adapter.py --database-url URL --steps 500 adapter.npz

The passages' side stays as it is, so that stored vectors stay good, and each step can compare its questions with the
vectors of thousands of passages that are stored already (URL: a database that has been embedded). A question is to be
nearer to the best passage of a provision that answers it than to passages that the model itself takes for near, to
others of the same document and to passages drawn at random (InfoNCE; Karpukhin and others, 2020); and questions with
one answer nearer to each other than to others. Learnt from: the questions that ingest keeps but for one in ten, and
headings of provisions that these ask about. The rest is for the ranker, which has to see the adapter as it is on
questions that it does not know. On two cores 500 steps take half an hour; when
questions were added, `--onward` takes fewer. The
same seed, thread count and database give the same adapter.
"""

import argparse
import asyncio
import math
import random
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import asyncpg
import numpy as np
import torch
from question_sets import Labelled, Place, everyday, for_the_adapter, read_set
from torch import nn
from torch.nn import functional

from lovsvar_embedder.e5.adapter import Factors, read_adapter, write_adapter
from lovsvar_embedder.e5.model import QUESTION
from lovsvar_embedder.e5.packed_model import PackedModel, read_packed_model
from lovsvar_embedder.e5.tokenizer import Tokenizer

LAYER_WEIGHTS = ("q", "k", "v", "ao", "fi", "fo")
"""The matrices of a layer: queries, keys, values, attention output, and the two of the feed-forward part."""

RANK = 16
BATCH = 48
ALIKE_IN_LENGTH = 16
"""Batches that are drawn together and parted by length: a batch takes as long as its longest question."""

PAIRS = 14
"""Questions of a batch that come with another everyday question of the same answer."""

RATE, WARM_UP = 4e-4, 30
TEMPERATURE = 0.02
LONGEST = 128
"""Tokens of a question."""

HARD, HARD_TAKEN = 40, 8
OF_DOCUMENT, OF_PROVISION = 4, 3
AT_RANDOM = 1_500
HEADINGS = 1_500
FRAMES = ("Hva sier loven om {}?", "Hvor står reglene om {}?", "{}", "Kva gjeld for {}?", "bestemmelser om {}")

STORED = """
SELECT p.refid, p.section_key, s.title, e.embedding::real[] AS embedding
FROM passages AS p
JOIN embeddings AS e USING (content_hash)
JOIN sections AS s USING (refid, section_key)
WHERE e.kind = 'passage'
ORDER BY p.refid, p.section_key, p.number
"""


class Linear(nn.Module):
    """A product of the model with its adapter: only the adapter learns."""

    def __init__(self, model: PackedModel, name: str) -> None:
        super().__init__()
        self.name = name
        weights = model.weights(name + "w")
        self.register_buffer("weights", torch.tensor(weights))
        self.register_buffer("bias", torch.tensor(np.array(model.floats(name + "b"))))
        self.down = nn.Parameter(torch.randn(RANK, weights.shape[1]) / math.sqrt(weights.shape[1]))
        self.up = nn.Parameter(torch.zeros(weights.shape[0], RANK))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the product and what the adapter adds."""
        return functional.linear(values, self.weights, self.bias) + (values @ self.down.T) @ self.up.T


class Normalised(nn.Module):
    """A layer normalisation of the model."""

    def __init__(self, model: PackedModel, name: str) -> None:
        super().__init__()
        self._epsilon = model.epsilon
        self.register_buffer("weights", torch.tensor(np.array(model.floats(name + ".w"))))
        self.register_buffer("bias", torch.tensor(np.array(model.floats(name + ".b"))))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the values, normalised."""
        return functional.layer_norm(values, self.weights.shape, self.weights, self.bias, self._epsilon)


class Encoder(nn.Module):
    """The questions' side of the model: texts → vectors of length 1."""

    def __init__(self) -> None:
        super().__init__()
        self._model = model = read_packed_model()
        self._tokenizer = Tokenizer(model.pieces)
        self._places = model.floats("emb.pos").reshape(-1, model.width) + model.floats("emb.type")[: model.width]
        self._first = Normalised(model, "emb.ln")
        self._layers = nn.ModuleList(
            nn.ModuleDict(
                {name: Linear(model, f"l{layer}.{name}.") for name in LAYER_WEIGHTS}
                | {name: Normalised(model, f"l{layer}.{name}") for name in ("aln", "oln")}
            )
            for layer in range(model.layers)
        )

    def forward(self, questions: Sequence[str]) -> torch.Tensor:
        """Return the vectors of questions, (questions, width)."""
        embedded, mask = self._embedded(questions)
        count, length, width = embedded.shape
        heads = self._model.heads
        hidden = self._first(embedded)
        # Half as many bits are less work on processors that know bfloat16, and as good for what is learnt.
        with torch.autocast("cpu", torch.bfloat16):
            for layer in self._layers:
                parts = (layer[name](hidden).view(count, length, heads, -1).transpose(1, 2) for name in "qkv")
                attended = functional.scaled_dot_product_attention(*parts, attn_mask=mask[:, None, None, :])
                hidden = layer["aln"](hidden + layer["ao"](attended.transpose(1, 2).reshape(count, length, width)))
                hidden = layer["oln"](hidden + layer["fo"](functional.gelu(layer["fi"](hidden))))
        hidden = hidden.float()
        share = mask[:, :, None].float()
        return functional.normalize((hidden * share).sum(1) / share.sum(1), dim=1)

    def _embedded(self, questions: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = [self._tokens(question) for question in questions]
        longest = max(map(len, tokens))
        embedded = np.zeros((len(tokens), longest, self._model.width), np.float32)
        mask = np.zeros((len(tokens), longest), bool)
        for row, of_one in enumerate(tokens):
            embedded[row, : len(of_one)] = self._model.words(np.array(of_one)) + self._places[: len(of_one)]
            mask[row, : len(of_one)] = True
        return torch.tensor(embedded), torch.tensor(mask)

    def _tokens(self, question: str) -> list[int]:
        content = self._tokenizer.content(QUESTION + unicodedata.normalize("NFKC", question))
        return self._tokenizer.marked(content[: LONGEST - 2])

    @torch.no_grad()
    def vectors(self, questions: Sequence[str]) -> np.ndarray:
        """Return the vectors of many questions, those of like length together."""
        order = sorted(range(len(questions)), key=lambda at: len(questions[at]))
        found = np.zeros((len(questions), self._model.width), np.float32)
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            found[rows] = self([questions[row] for row in rows]).numpy()
        return found

    def adapter(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Return what was learnt: for each product the factors (outputs, rank) and (rank, inputs)."""
        linear = [module for module in self.modules() if isinstance(module, Linear)]
        return {one.name: (one.up.detach().numpy(), one.down.detach().numpy()) for one in linear}

    @torch.no_grad()
    def begin_with(self, adapter: Mapping[str, Factors]) -> None:
        """Take over what was learnt before."""
        for one in self.modules():
            if isinstance(one, Linear):
                up, down = adapter[one.name]
                one.up.copy_(torch.tensor(up))
                one.down.copy_(torch.tensor(down))


class Passages:
    """The stored passages: their vectors, and which are of one provision or document."""

    def __init__(self, rows: Sequence[asyncpg.Record]) -> None:
        self.vectors = np.array([row["embedding"] for row in rows], np.float32)
        self.tensor = torch.tensor(self.vectors)
        self.places: list[Place] = [(row["refid"], row["section_key"]) for row in rows]
        self.headings = {place: row["title"] for place, row in zip(self.places, rows, strict=True) if row["title"]}
        self.of_place: defaultdict[Place, list[int]] = defaultdict(list)
        self.of_document: defaultdict[str, list[int]] = defaultdict(list)
        for row, place in enumerate(self.places):
            self.of_place[place].append(row)
            self.of_document[place[0]].append(row)

    def known(self, questions: Sequence[Labelled]) -> list[Labelled]:
        """Return the questions of which an answer has a vector."""
        return [question for question in questions if any(place in self.of_place for place in question.gold)]


def to_learn_from(passages: Passages, generator: random.Random) -> list[Labelled]:
    """Return the questions to learn from, in no order."""
    asked = [one for one in passages.known(everyday()) if for_the_adapter(one)]
    places = sorted({place for one in asked for place in one.gold if place in passages.headings})
    headings = [
        Labelled(
            "heading", "heading", "nb", generator.choice(FRAMES).format(passages.headings[place].lower()), (place,)
        )
        for place in generator.sample(places, min(HEADINGS, len(places)))
    ]
    every = [*asked, *headings]
    generator.shuffle(every)
    return every


class Lessons:
    """Makes batches: questions, the passages to compare them with, and which of these answer."""

    def __init__(self, encoder: Encoder, passages: Passages, questions: Sequence[Labelled], seed: int) -> None:
        self._passages = passages
        self.questions = questions
        self._random = random.Random(seed)
        self._generator = np.random.default_rng(seed)
        self._hard = self._look_alikes(encoder.vectors([one.question for one in questions]))
        self._alike: defaultdict[Place, list[int]] = defaultdict(list)
        for row, one in enumerate(questions):
            if one.kind != "heading":
                self._alike[one.gold[0]].append(row)

    def _look_alikes(self, vectors: np.ndarray) -> list[list[int]]:
        """Return for each question the passages that the model takes for nearest though they do not answer."""
        found = []
        for start in range(0, len(vectors), 128):
            near = vectors[start : start + 128] @ self._passages.vectors.T
            for question, best in zip(
                self.questions[start : start + 128], np.argpartition(-near, HARD, axis=1)[:, :HARD], strict=True
            ):
                found.append([row for row in best if self._passages.places[row] not in question.right])
        return found

    def batches(self) -> Iterator[list[int]]:
        """Yield the questions by row, each once, in full batches of questions that are about as long."""
        order = self._generator.permutation(len(self.questions))
        for start in range(0, len(order), ALIKE_IN_LENGTH * BATCH):
            drawn = sorted(order[start : start + ALIKE_IN_LENGTH * BATCH].tolist(), key=self._length)
            batches = [drawn[at : at + BATCH] for at in range(0, len(drawn) - BATCH + 1, BATCH)]
            self._random.shuffle(batches)
            yield from batches

    def _length(self, row: int) -> int:
        return len(self.questions[row].question)

    def partners(self, batch: Sequence[int]) -> list[tuple[int, int]]:
        """Return some questions of a batch, by place, each with another that has the same answer."""
        found = []
        for place, row in enumerate(batch[:PAIRS]):
            one = self.questions[row]
            others = [other for other in self._alike[one.gold[0]] if other != row]
            if others:
                found.append((place, self._random.choice(others)))
        return found

    def passages(self, batch: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return vectors of passages to compare with, and for each question which of them answer it."""
        taken: list[int] = []
        for row in batch:
            own = [p for place in self.questions[row].gold for p in self._passages.of_place.get(place, ())]
            taken += self._random.sample(own, min(OF_PROVISION, len(own)))
            taken += self._random.sample(self._hard[row], min(HARD_TAKEN, len(self._hard[row])))
            document = self._passages.of_document[self._passages.places[own[0]][0]]
            taken += self._random.sample(document, min(OF_DOCUMENT, len(document)))
        taken += self._generator.integers(0, len(self._passages.places), AT_RANDOM).tolist()
        unique = sorted(set(taken))
        places = [self._passages.places[row] for row in unique]
        answers = [[place in set(self.questions[row].gold) for place in places] for row in batch]
        return self._passages.tensor[unique], torch.tensor(answers)


def loss_of(encoder: Encoder, lessons: Lessons, batch: Sequence[int]) -> torch.Tensor:
    """Return how wrong the encoder is about a batch."""
    partners = lessons.partners(batch)
    asked = [*batch, *(row for _, row in partners)]
    vectors = encoder([lessons.questions[row].question for row in asked])
    passages, answers = lessons.passages(batch)
    near = vectors[: len(batch)] @ passages.T / TEMPERATURE
    best = near.masked_fill(~answers, -1e4).max(1).values
    others = near.masked_fill(answers, -1e4)
    loss = (torch.logsumexp(torch.cat([best[:, None], others], 1), 1) - best).mean()
    if partners:
        loss = loss + 0.5 * _of_partners(vectors, lessons, asked, [place for place, _ in partners], len(batch))
    return loss


def _of_partners(
    vectors: torch.Tensor, lessons: Lessons, asked: Sequence[int], places: Sequence[int], batch: int
) -> torch.Tensor:
    near = vectors @ vectors.T / TEMPERATURE
    total = torch.zeros(())
    for number, place in enumerate(places):
        right = set(lessons.questions[asked[place]].gold)
        unlike = [at for at, row in enumerate(asked) if not right & set(lessons.questions[row].gold)]
        partner = near[place, batch + number]
        total = total + torch.logsumexp(torch.cat([partner[None], near[place, unlike]]), 0) - partner
    return total / len(places)


def train(encoder: Encoder, lessons: Lessons, steps: int) -> None:
    """Learn, with a rate that rises at first and then falls along a cosine."""
    learnt = [parameter for parameter in encoder.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learnt, lr=RATE, weight_decay=0.01)
    began, step = time.monotonic(), 0
    while step < steps:
        for batch in lessons.batches():
            if step == steps:
                break
            rate = min(1.0, (step + 1) / WARM_UP) * max(0.05, 0.5 * (1 + math.cos(math.pi * step / steps)))
            for group in optimiser.param_groups:
                group["lr"] = RATE * rate
            loss = loss_of(encoder, lessons, batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learnt, 1.0)
            optimiser.step()
            step += 1
            if step % 50 == 0:
                print(f"step {step}: loss {loss.item():.2f}, {time.monotonic() - began:.0f} s", flush=True)


def found(encoder: Encoder, passages: Passages, questions: Sequence[Labelled]) -> str:
    """Return how often an answer is the nearest provision, and among the five and thirty nearest."""
    ranks = []
    for question, vector in zip(questions, encoder.vectors([one.question for one in questions]), strict=True):
        near = passages.vectors @ vector
        best = max(near[row] for place in question.gold for row in passages.of_place.get(place, ()))
        ranks.append(len({passages.places[row] for row in np.flatnonzero(near > best)}) + 1)
    shares = (sum(rank <= k for rank in ranks) / len(ranks) for k in (1, 5, 30))
    return " ".join(f"{share:.3f}" for share in shares)


async def read_passages(database_url: str) -> Passages:
    """Return the passages that have vectors."""
    connection = await asyncpg.connect(database_url)
    try:
        return Passages(await connection.fetch(STORED))
    finally:
        await connection.close()


def main() -> None:
    """Train, print what was gained, and write the adapter."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("adapter", type=Path)
    parser.add_argument("--database-url", required=True, help="a database whose passages have been embedded")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--onward", action="store_true", help="learn on from the adapter that is shipped")
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    passages = asyncio.run(read_passages(arguments.database_url))
    encoder = Encoder()
    if arguments.onward:
        encoder.begin_with(read_adapter())
    others = passages.known([one for one in everyday() if one.kind == "drawn" and not for_the_adapter(one)])[:400]
    tail = passages.known([one for one in read_set("tail") if not one.held_out])[:400]
    print("among 1, 5, 30:", found(encoder, passages, others), "| tail", found(encoder, passages, tail), flush=True)
    questions = to_learn_from(passages, random.Random(arguments.seed))
    lessons = Lessons(encoder, passages, questions, arguments.seed)
    train(encoder, lessons, arguments.steps)
    write_adapter(arguments.adapter, encoder.adapter())
    print("among 1, 5, 30:", found(encoder, passages, others), "| tail", found(encoder, passages, tail))


if __name__ == "__main__":
    main()
