"""The tokenizer of XLM-RoBERTa, by SentencePiece."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from lovsvar_embedder.e5.packed_model import Pieces

_SPACES = re.compile(" {2,}")
_PIECES_AT_ONCE = 1_000

proto: Any = sentencepiece_model_pb2
"""Its types are made when it is imported."""


class Tokenizer:
    """Splits texts into pieces of words. Several threads may use it at once."""

    def __init__(self, pieces: Pieces) -> None:
        self._characters = pieces.characters
        self._begin, self._end = pieces.begin, pieces.end
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=b"".join(_model(pieces)))

    def content(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, without begin and end marks. The text begins with a word."""
        ids: list[int] = self._processor.encode(_SPACES.sub(" ", text.translate(self._characters)))
        return ids

    def marked(self, content: list[int]) -> list[int]:
        """Return ids between the begin and end marks."""
        return [self._begin, *content, self._end]


def _model(pieces: Pieces) -> Iterable[bytes]:
    """Yield the vocabulary for SentencePiece in parts: joined, encoded messages are one message.

    A quarter of a million pieces as objects at once would take tens of megabytes.
    """
    model = proto.ModelProto()
    model.trainer_spec.model_type = proto.TrainerSpec.UNIGRAM
    model.trainer_spec.vocab_size = len(pieces)
    model.trainer_spec.unk_id, model.trainer_spec.pad_id = pieces.unknown, pieces.pad
    model.trainer_spec.bos_id, model.trainer_spec.eos_id = pieces.begin, pieces.end
    # Characters are normalised before it sees them.
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = model.normalizer_spec.escape_whitespaces = True
    model.normalizer_spec.remove_extra_whitespaces = False
    yield model.SerializeToString()
    kind = proto.ModelProto.SentencePiece
    kinds = dict.fromkeys((pieces.begin, pieces.end, pieces.pad), kind.CONTROL) | {pieces.unknown: kind.UNKNOWN}
    numbered = enumerate(pieces)
    while some := list(islice(numbered, _PIECES_AT_ONCE)):
        part = proto.ModelProto()
        for number, (text, score) in some:
            part.pieces.add(piece=text, score=score, type=kinds.get(number, kind.NORMAL))
        yield part.SerializePartialToString()
