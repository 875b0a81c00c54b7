"""Text of pictures, by models that come in rapidocr's wheel. Loaded when a picture is first read."""

import time
from functools import cache
from typing import Any

from PIL import Image

MOST_SIDE = 2_600
"""Pixels of the longer side of what is read: A4 at 220 dots an inch."""

LEAST_SCORE = 0.5


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


class Ocr:
    """Reads pictures until `seconds` have passed since it was made; later ones are left unread."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return time.monotonic() > self._until

    def text(self, image: Image.Image) -> str:
        """Return the lines of a picture from top to bottom, "" when there are none."""
        import numpy as np

        picture = image.convert("RGB")
        picture.thumbnail((MOST_SIDE, MOST_SIDE))
        found = _engine()(np.asarray(picture)[:, :, ::-1])
        if found.txts is None:
            return ""
        lines = [
            (box, text)
            for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
            if score >= LEAST_SCORE
        ]
        return "\n".join(_rows(lines))


def _rows(lines: list[tuple[Any, str]]) -> list[str]:
    """Join what is at one height of the page, from left to right."""
    rows: list[list[tuple[float, float, float, str]]] = []
    for box, text in sorted(lines, key=lambda line: float(line[0][:, 1].mean())):
        left, middle = float(box[:, 0].min()), float(box[:, 1].mean())
        height = float(box[:, 1].max() - box[:, 1].min())
        if rows and abs(rows[-1][0][1] - middle) < 0.5 * min(height, rows[-1][0][2]):
            rows[-1].append((left, middle, height, text))
        else:
            rows.append([(left, middle, height, text)])
    return [" ".join(one[3] for one in sorted(row)) for row in rows]
